import type { Broker } from '@covalence/events/broker';
import { createLease } from '@covalence/events/lease';
import { queueOf } from '@covalence/events/topology';
import type { Peer } from '@covalence/http/peer';
import type { Logger } from '@covalence/runtime/logger';
import type { Metrics } from '@covalence/runtime/metrics';
import type { Clock } from '@covalence/runtime/clock';
import type { Connection } from 'mongoose';
import { randomUUID } from 'node:crypto';
import { createDocumentStore } from './document-store.ts';
import type { ElasticsearchClients } from './elasticsearch-adapter.ts';
import { createIndexReconciler } from './index-reconciler.ts';
import { createIndexVersions } from './index-version-store.ts';
import type { IndexMapping } from './mapping.ts';
import { aliasesOf, createMemberIndex } from './member-index.ts';
import type { ReadStems } from './stems.ts';

/** The stores of the index, and profile, from which it is filled. */
export type SearchIndex = ReturnType<typeof createSearchIndex>;

/** Longer than any step of a rebuild between two renewals of the lease. */
const rebuildLeaseMs = 60_000;

const brokerLimitMs = 5_000;

/** Counts the events in the index queue that no consumer has received. Rejects while RabbitMQ is down. */
async function countWaitingEvents(broker: Broker): Promise<number> {
  const channel = broker.openChannel({ setup: (each) => broker.prepare(each) });
  try {
    const late = AbortSignal.timeout(brokerLimitMs);
    const { promise, reject } = Promise.withResolvers<never>();
    late.addEventListener('abort', () => reject(new Error('rabbitmq did not answer in time')));
    const queue = await Promise.race([
      channel.waitForConnect().then(() => channel.checkQueue(queueOf(broker.namespace, 'search.index'))),
      promise,
    ]);
    return queue.messageCount;
  } finally {
    await channel.close();
  }
}

/** Creates the stores of a temporary index with its own mapping. */
export function createTemporaryIndex(
  mapping: IndexMapping,
  { engine, namespace, logger }: { engine: ElasticsearchClients; namespace: string; logger: Logger },
) {
  const name = `${namespace}-lab-${randomUUID()}`;
  return {
    members: createMemberIndex(engine, name, logger),
    versions: createIndexVersions(engine, name, mapping),
  };
}

/** Creates the stores and the reconciler of the index. `pauseMs` replaces the pauses of the index commands in tests. */
export function createSearchIndex(options: {
  readonly namespace: string;
  readonly mapping: IndexMapping;
  readonly profile: Peer<'profile'>;
  readonly engine: ElasticsearchClients;
  readonly connection: Connection;
  readonly broker: Broker;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly pauseMs?: number | undefined;
  readonly stems: ReadStems;
  readonly clock: Clock;
}) {
  const { namespace, mapping, profile, engine, connection, broker, logger, pauseMs, stems } = options;
  const members = createMemberIndex(engine, namespace, logger);
  const versions = createIndexVersions(engine, namespace, mapping);
  const lease = createLease(connection, 'index-fill');
  return {
    aliases: aliasesOf(namespace),
    mapping,
    profile,
    members,
    versions,
    documents: createDocumentStore(engine),
    reconciler: createIndexReconciler({ ...options, versions, members, lease }),
    /** Lets one process at a time replace the live index. */
    rebuildLease: createLease(connection, 'index-rebuild', rebuildLeaseMs),
    pauseMs,
    stems,
    countWaitingEvents: () => countWaitingEvents(broker),
    /** The stores of a temporary index with another mapping. */
    temporary: (other: IndexMapping) => createTemporaryIndex(other, options),
  };
}
