import * as contract from '@covalence/contract/internal/privacy-api';
import { ask, createPeer, type Ask, type Peer } from '@covalence/http/peer';
import type { ServiceCredential } from '@covalence/http/service-credential';

type Subject = contract.PrivacySubject;

/** The services that keep something of members beside this one. */
export const keepers = ['auth', 'billing', 'search', 'updates'] as const;

/** One of them. */
export type Keeper = (typeof keepers)[number];

/** What profile asks of the other services for exports and erasures. */
export interface PrivacyPeers {
  readonly exports: {
    readonly auth: Ask<typeof contract.exportAccount>;
    readonly billing: Ask<typeof contract.exportBilling>;
    readonly search: Ask<typeof contract.exportSearch>;
    readonly updates: Ask<typeof contract.exportUpdates>;
  };
  /** Search forgets what it keeps of these members' relations, and reads them again. */
  forgetRelations(members: readonly number[]): Promise<void>;
  /** Removes everything that a service keeps of a member; idempotent. */
  erase(keeper: Keeper, subject: Subject): Promise<void>;
}

/** A member with years of messages takes longer than a call on behalf of a page. */
const timeoutMs = 30_000;

/** Creates the clients of the other services. */
export function createPrivacyPeers(
  urls: Readonly<Record<Keeper, string>>,
  credential: ServiceCredential,
): PrivacyPeers {
  const peerOf = (keeper: Keeper) => createPeer({ url: urls[keeper], to: keeper, credential, timeoutMs });
  const peers: Readonly<Record<Keeper, Peer>> = {
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
    async forgetRelations(members) {
      const { output } = contract.forgetRelations;
      await peers.search.call('/internal/relations/forget', { members }, output);
    },
    async erase(keeper, subject) {
      await peers[keeper].call('/internal/members/erase', subject, contract.eraseMember.output);
    },
  };
}
