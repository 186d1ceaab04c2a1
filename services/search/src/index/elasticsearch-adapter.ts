import type { Health } from '@covalence/runtime/health';
import { hostsOf } from '@covalence/runtime/host-urls';
import { Client, errors, type estypes } from '@elastic/elasticsearch';
import { HostPool } from './host-pool-adapter.ts';

/** Two clients, because a client's timeout limits every call over it. */
export interface ElasticsearchClients {
  /** For requests that a member waits for. */
  readonly client: Client;
  /** For writes and changes of indices. */
  readonly writer: Client;
  /** The time limit of each of three attempts of a search, ms, because of several hosts one may hang; absent of one host. */
  readonly attemptMs?: number;
  close(): Promise<void>;
}

/** The timeout of changes of an index, ms: the first refresh after a rebuild writes a tenth of the heap. */
const changeLimitMs = 120_000;

/** A host that does not accept a connection within this time is left for another one, ms. */
const connectLimitMs = 2_000;

/** Connections to a host, as many as the client allows by default. */
const agent = { connections: 256, connectTimeout: connectLimitMs };

/** Attempts of a search if there are several hosts. */
const searchAttempts = 3;

/** Creates the clients. They connect on use; calls while Elasticsearch is down fail, which answers 503. */
export function connectElasticsearch({
  url,
  health,
  searchLimitMs = 5_000,
}: {
  /** e.g. http://127.0.0.1:9200; of a cluster, with the hosts of its nodes by commas. */
  readonly url: string;
  readonly health: Health;
  readonly searchLimitMs?: number;
}): ElasticsearchClients {
  const nodes = hostsOf(url);
  // A lost connection and a node that cannot serve are retried, on every other node. An expired time limit is not: only searches repeat it.
  const shared = { nodes, agent, ConnectionPool: HostPool, maxRetries: Math.max(1, nodes.length - 1) };
  const client = new Client({ ...shared, requestTimeout: searchLimitMs });
  const writer = new Client({ ...shared, requestTimeout: changeLimitMs });
  // Optional: saved searches and match criteria work without it.
  health.addOptional('elasticsearch', () => client.cluster.health({ timeout: '1s' }));
  return {
    client,
    writer,
    ...(nodes.length > 1 && { attemptMs: Math.floor(searchLimitMs / searchAttempts) }),
    async close() {
      await Promise.all([client.close(), writer.close()]);
    },
  };
}

/** The total of hits in either form. */
export const totalOf = (total: estypes.SearchHitsMetadata['total']): number =>
  typeof total === 'object' ? total.value : (total ?? 0);

/** An index that does not exist yet or has no room now: retried as if Elasticsearch were down. */
export class IndexUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'IndexUnavailable';
  }
}

const isResponse = (error: unknown, status: number, type: string): boolean =>
  error instanceof errors.ResponseError && error.statusCode === status && error.body?.error?.type === type;

/** Whether an index or alias does not exist. */
export const isMissingIndex = (error: unknown): boolean =>
  isResponse(error, 404, 'index_not_found_exception') || isResponse(error, 404, 'alias_not_found_exception');

/** Rethrows an error of a call to an alias, as IndexUnavailable if the alias is missing. */
export const missing =
  (alias: string) =>
  (error: unknown): never => {
    throw isMissingIndex(error) ? new IndexUnavailable(`no index ${alias}`, error) : error;
  };

/** Whether a time limit expired. */
export const isTimeout = (error: unknown): boolean => error instanceof errors.TimeoutError;

/** Whether the index exists already. */
export const isExistingIndex = (error: unknown): boolean =>
  isResponse(error, 400, 'resource_already_exists_exception');

/** The status of a request or document for which Elasticsearch has no room. */
export const noRoom = 429;

/** Whether Elasticsearch has no room for a request. */
export const isNoRoom = (error: unknown): boolean =>
  error instanceof errors.ResponseError && error.statusCode === noRoom;
