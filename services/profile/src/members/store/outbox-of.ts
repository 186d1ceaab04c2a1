import { createLease } from '@covalence/events/lease';
import { createOutbox, type WithOutbox } from '@covalence/events/outbox';
import type { Publisher } from '@covalence/events/publisher';
import type { Clock } from '@covalence/runtime/clock';
import type { Logger } from '@covalence/runtime/logger';
import type { Metrics } from '@covalence/runtime/metrics';
import type { Connection } from 'mongoose';

/** Dependencies of a store with an outbox. */
export interface StoreOptions {
  readonly connection: Connection;
  readonly publisher: Publisher;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
}

/** The outbox of a model that has been declared; `shardsOf` where it is sharded by another field than `_id`. */
export const outboxOf = (
  { connection, ...options }: StoreOptions,
  model: string,
  lease: string,
  shardsOf?: (documentIds: readonly unknown[]) => object,
) =>
  createOutbox({
    ...options,
    model: connection.model<WithOutbox>(model),
    lease: createLease(connection, lease),
    shardsOf,
  });
