import type { Health } from '@covalence/runtime/health';
import { Client, errors, type estypes } from '@elastic/elasticsearch';

/** Where Elasticsearch is. */
export interface EngineOptions {
  /** e.g. http://127.0.0.1:9200; user and password may stand in it. */
  readonly url: string;
  readonly health: Health;
  /** How long a search may take, ms; default 5,000. */
  readonly searchLimitMs?: number;
}

/** The clients of one Elasticsearch: a connection's time is the most that a call over it has, whatever the call asks for. */
export interface Engine {
  /** For what somebody waits for. */
  readonly client: Client;
  /** For what is written, and for changes of an index. */
  readonly writer: Client;
  close(): Promise<void>;
}

/**
 * How long Elasticsearch has for what changes an index, ms. The first refresh after a rebuild writes whatever its memory for
 * indexing holds, a tenth of the heap; a cluster with much to do takes seconds to make an index.
 */
const changeLimitMs = 120_000;

/** Elasticsearch's clients. They connect on use; calls made while the engine is away fail, which answers 503. */
export function connectElasticsearch({ url, health, searchLimitMs = 5_000 }: EngineOptions): Engine {
  const client = new Client({ node: url, requestTimeout: searchLimitMs, maxRetries: 1 });
  const writer = new Client({ node: url, requestTimeout: changeLimitMs, maxRetries: 1 });
  // Saved searches, match criteria and what is told of members are served without it.
  health.addOptional('elasticsearch', () => client.cluster.health({ timeout: '1s' }));
  return {
    client,
    writer,
    async close() {
      await Promise.all([client.close(), writer.close()]);
    },
  };
}

/** How many documents an answer is about, in either of the forms that it is told in. */
export const totalOf = (total: estypes.SearchHitsMetadata['total']): number =>
  typeof total === 'object' ? total.value : (total ?? 0);

/** An index or alias that is not there, not there yet, or has no room now: waited for like an engine that is away. */
export class IndexUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'IndexUnavailable';
  }
}

const isResponse = (error: unknown, status: number, type: string): boolean =>
  error instanceof errors.ResponseError && error.statusCode === status && error.body?.error?.type === type;

/** Whether Elasticsearch answered that an index or alias does not exist. */
export const isMissingIndex = (error: unknown): boolean =>
  isResponse(error, 404, 'index_not_found_exception') || isResponse(error, 404, 'alias_not_found_exception');

/** What is thrown for an error of a call to an alias: another one where that is missing. */
export const missing =
  (alias: string) =>
  (error: unknown): never => {
    throw isMissingIndex(error) ? new IndexUnavailable(`no index ${alias}`, error) : error;
  };

/** Whether Elasticsearch answered that the index exists already. */
export const isExistingIndex = (error: unknown): boolean =>
  isResponse(error, 400, 'resource_already_exists_exception');

/** The status by which Elasticsearch says that it had no room, for a request as a whole or for one of its documents. */
export const noRoom = 429;

/** Whether Elasticsearch had no room for a request as a whole. */
export const isNoRoom = (error: unknown): boolean =>
  error instanceof errors.ResponseError && error.statusCode === noRoom;
