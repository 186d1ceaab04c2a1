import * as contract from '@covalence/contract/internal/privacy-api';
import { createPeer, type Peer } from '@covalence/http/peer';
import type { z } from 'zod';

type Subject = contract.PrivacySubject;
type Answer<Exchange extends { output: z.ZodType }> = Promise<z.output<Exchange['output']>>;

/** The services that keep something of members beside this one. */
export const keepers = ['auth', 'billing', 'search', 'updates'] as const;

/** One of them. */
export type Keeper = (typeof keepers)[number];

/** What profile asks of the other services for exports and erasures. */
export interface PrivacyPeers {
  readonly exports: {
    auth(subject: Subject): Answer<typeof contract.exportAccount>;
    billing(subject: Subject): Answer<typeof contract.exportBilling>;
    search(subject: Subject): Answer<typeof contract.exportSearch>;
    updates(subject: Subject): Answer<typeof contract.exportUpdates>;
  };
  /** Search forgets what it keeps of these members' relations, and reads them again. */
  forgetRelations(members: readonly number[]): Promise<void>;
  /** Removes everything that a service keeps of a member; idempotent. */
  erase(keeper: Keeper, subject: Subject): Promise<void>;
}

/** A member with years of messages takes longer than a call on behalf of a page. */
const timeoutMs = 30_000;

/** Creates the clients of the other services. */
export function createPrivacyPeers(urls: Readonly<Record<Keeper, string>>, secret: string): PrivacyPeers {
  const peerOf = (keeper: Keeper) => createPeer({ url: urls[keeper], secret, timeoutMs });
  const peers: Readonly<Record<Keeper, Peer>> = {
    auth: peerOf('auth'),
    billing: peerOf('billing'),
    search: peerOf('search'),
    updates: peerOf('updates'),
  };
  const exportPath = '/internal/members/export';
  return {
    exports: {
      auth: (subject) => peers.auth.call(exportPath, subject, contract.exportAccount.output),
      billing: (subject) => peers.billing.call(exportPath, subject, contract.exportBilling.output),
      search: (subject) => peers.search.call(exportPath, subject, contract.exportSearch.output),
      updates: (subject) => peers.updates.call(exportPath, subject, contract.exportUpdates.output),
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
