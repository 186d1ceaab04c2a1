import * as contract from '@covalence/contract/internal/privacy-api';
import { ask, createPeer, type Ask, type Peer } from '@covalence/http/peer';
import type { ServiceCredential } from '@covalence/http/service-credential';

type Subject = contract.PrivacySubject;

/** The other services that store data of members. */
export const dataOwners = ['auth', 'billing', 'search', 'updates'] as const;

/** One of them. */
export type DataOwner = (typeof dataOwners)[number];

/** Calls to the other services for exports and erasures. */
export interface PrivacyPeers {
  readonly exports: {
    readonly auth: Ask<typeof contract.exportAccount>;
    readonly billing: Ask<typeof contract.exportBilling>;
    readonly search: Ask<typeof contract.exportSearch>;
    readonly updates: Ask<typeof contract.exportUpdates>;
  };
  /** Erases everything that a service stores about a member. Idempotent. */
  erase(owner: DataOwner, subject: Subject): Promise<void>;
}

/** An export or erasure takes longer than other calls. */
const timeoutMs = 30_000;

/** Creates the clients of the other services. */
export function createPrivacyPeers(
  urls: Readonly<Record<DataOwner, string>>,
  credential: ServiceCredential,
): PrivacyPeers {
  const peerOf = (owner: DataOwner) => createPeer({ url: urls[owner], to: owner, credential, timeoutMs });
  const peers: Readonly<Record<DataOwner, Peer>> = {
    auth: peerOf('auth'),
    billing: peerOf('billing'),
    search: peerOf('search'),
    updates: peerOf('updates'),
  };
  const exportPath = '/internal/members/export';
  return {
    exports: {
      auth: ask(peers.auth, exportPath, contract.exportAccount),
      billing: ask(peers.billing, exportPath, contract.exportBilling),
      search: ask(peers.search, exportPath, contract.exportSearch),
      updates: ask(peers.updates, exportPath, contract.exportUpdates),
    },
    async erase(owner, subject) {
      await peers[owner].call('/internal/members/erase', subject, contract.eraseMember.output);
    },
  };
}
