import * as contract from '@covalence/contract/internal/auth-api';
import { ask, createPeer, type Ask, type PeerAccess } from '@covalence/http/peer';

/** Calls to the auth service, one function for each endpoint. */
export interface AuthPeer {
  verifyClient: Ask<typeof contract.verifyClient>;
  checkAccount: Ask<typeof contract.checkAccount>;
  reserveAccount: Ask<typeof contract.reserveAccount>;
  confirmAccount: Ask<typeof contract.confirmAccount>;
  issueCode: Ask<typeof contract.issueCode>;
  claimUsername: Ask<typeof contract.claimUsername>;
  applyUsername: Ask<typeof contract.applyUsername>;
  changeEmail: Ask<typeof contract.changeEmail>;
  readEmail: Ask<typeof contract.readEmail>;
  endSessions: Ask<typeof contract.endSessions>;
  notifyDeletion: Ask<typeof contract.notifyDeletion>;
  importAccounts: Ask<typeof contract.importAccounts>;
  confirmImported: Ask<typeof contract.confirmImported>;
}

/** Creates the client of the auth service. */
export function createAuthPeer(access: PeerAccess): AuthPeer {
  const options = { ...access, to: 'auth' } as const;
  const peer = createPeer(options);
  // An import of a thousand accounts takes long.
  const patient = createPeer({ ...options, timeoutMs: 30_000 });
  return {
    verifyClient: ask(peer, '/internal/clients/verify', contract.verifyClient),
    checkAccount: ask(peer, '/internal/accounts/check', contract.checkAccount),
    reserveAccount: ask(peer, '/internal/accounts/reserve', contract.reserveAccount),
    confirmAccount: ask(peer, '/internal/accounts/confirm', contract.confirmAccount),
    issueCode: ask(peer, '/internal/codes', contract.issueCode),
    claimUsername: ask(peer, '/internal/accounts/claim-username', contract.claimUsername),
    applyUsername: ask(peer, '/internal/accounts/apply-username', contract.applyUsername),
    changeEmail: ask(peer, '/internal/accounts/change-email', contract.changeEmail),
    readEmail: ask(peer, '/internal/accounts/emails', contract.readEmail),
    endSessions: ask(peer, '/internal/sessions/end', contract.endSessions),
    notifyDeletion: ask(peer, '/internal/accounts/notify-deletion', contract.notifyDeletion),
    importAccounts: ask(patient, '/internal/accounts/import', contract.importAccounts),
    confirmImported: ask(patient, '/internal/accounts/import/confirm', contract.confirmImported),
  };
}
