import { unavailable } from '@covalence/contract/failure';
import type { DeadLetterService, Operations } from '@covalence/contract/peers/operations-api';
import { inTurn } from '@covalence/events/dead-letters/turns';
import type { ReadStatus } from '@covalence/http/operations';
import type { Peer } from '@covalence/http/peer';
import type { Logger } from '@covalence/runtime/logger';
import type { HourlyLimitStore } from '../members/store/hourly-limit-store.ts';
import type { Connection } from 'mongoose';

/** The services that answer for themselves. The gateway has no calls between services; what passes it shows that it is there. */
type OperatedPeers = {
  readonly auth: Pick<Peer<'auth'>, 'readStatus'>;
  readonly billing: Pick<Peer<'billing'>, 'readStatus'>;
} & {
  readonly [Service in 'search' | 'updates']: Pick<
    Peer<Service>,
    'readStatus' | 'readDeadLetters' | 'settleDeadLetters'
  >;
};

/** Dependencies of the operators' calls. */
export interface OperationsContext {
  readonly logger: Logger;
  readonly operations: {
    /** The state of every service; calls shortly after each other share it. */
    readonly read: () => Promise<Operations>;
    /** The dead letters of each service's queues. */
    readonly deadLetters: Readonly<Record<string, DeadLetterService>>;
    /** Lists of dead letters that one account may read. */
    readonly listed: HourlyLimitStore;
    /** Dead letters that one account may replay or delete. */
    readonly settled: HourlyLimitStore;
  };
}

/** By service, who reads its status. */
export const readersOf = (
  own: ReadStatus,
  { auth, billing, search, updates }: OperatedPeers,
): Readonly<Record<string, ReadStatus>> => ({
  auth: () => auth.readStatus({}),
  profile: own,
  search: () => search.readStatus({}),
  billing: () => billing.readStatus({}),
  updates: () => updates.readStatus({}),
});

/** How long calls wait while another one reads the letters. */
const limits = { listMs: 3_000, settleMs: 5_000 };

const late = () => unavailable(new Error('another call reads the letters'));

/** The dead letters of each service's queues: this service's own, and those of its peers. One call at a time reads those of a service. */
export function deadLetterServices(
  own: DeadLetterService,
  { search, updates }: OperatedPeers,
  connection: Connection,
): Readonly<Record<string, DeadLetterService>> {
  const services = { profile: own, search: deadLettersAt(search), updates: deadLettersAt(updates) };
  return Object.fromEntries(
    Object.entries(services).map(([name, service]): [string, DeadLetterService] => [
      name,
      {
        list: () => inTurn(connection, name, { waitMs: limits.listMs, late }, () => service.list()),
        settle: (order) =>
          inTurn(connection, name, { waitMs: limits.settleMs, late }, () => service.settle(order)),
      },
    ]),
  );
}

const deadLettersAt = (peer: OperatedPeers['search' | 'updates']): DeadLetterService => ({
  list: () => peer.readDeadLetters({}),
  settle: (order) => peer.settleDeadLetters(order),
});
