import * as contract from '@covalence/contract/internal/auth-api';
import { createPeer, type Peer } from '@covalence/http/peer';
import type { z } from 'zod';

/** What profile asks of the auth service: one function per /internal endpoint of its contract. */
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
  tellDeletion: Ask<typeof contract.tellDeletion>;
  importAccounts: Ask<typeof contract.importAccounts>;
  confirmImported: Ask<typeof contract.confirmImported>;
}

interface Exchange {
  readonly input: z.ZodType;
  readonly output: z.ZodType;
}

type Ask<Contract extends Exchange> = (
  input: z.input<Contract['input']>,
) => Promise<z.output<Contract['output']>>;

const ask =
  <Input, Output>(
    peer: Peer,
    path: string,
    exchange: { input: z.ZodType<unknown, Input>; output: z.ZodType<Output> },
  ) =>
  (input: Input): Promise<Output> =>
    peer.call(path, input, exchange.output);

/** Creates the client of the auth service. */
export function createAuthPeer(options: { url: string; secret: string }): AuthPeer {
  const peer = createPeer(options);
  // Hashes or inserts a thousand accounts in one call.
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
    tellDeletion: ask(peer, '/internal/accounts/tell-deletion', contract.tellDeletion),
    importAccounts: ask(patient, '/internal/accounts/import', contract.importAccounts),
    confirmImported: ask(patient, '/internal/accounts/import/confirm', contract.confirmImported),
  };
}
