import { types } from 'node:util';

/** Errors by which the drivers say that their store cannot be reached now. */
const unavailableNames = new Set([
  'MongoServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoWaitQueueTimeoutError',
  'MongooseServerSelectionError',
  'MaxRetriesPerRequestError',
  'ClusterAllFailedError',
  'ConnectionError',
  'NoLivingConnectionsError',
  'TimeoutError',
  'PeerUnavailable',
  'BrokerUnavailable',
  'IndexUnavailable',
]);

const unavailableTexts = [
  "Stream isn't writeable",
  'Connection is closed',
  'Command timed out',
  'Command aborted due to connection close',
  'before initial connection is complete',
  // Redis while it starts, fails over or is cut off from its master.
  'LOADING ',
  'READONLY ',
  'MASTERDOWN ',
  'CLUSTERDOWN ',
  // Redis that takes no writes until it has room, or replicas, again.
  'OOM command not allowed',
  'MISCONF ',
  'NOREPLICAS ',
  // And that does not take our password any more, or gives no right.
  'NOAUTH ',
  'WRONGPASS ',
  'NOPERM ',
];

/**
 * Codes by which a member of a replica set says that it cannot serve now: it is no primary any more, recovers or shuts down, or
 * does not reach the others. The driver tries most calls once more by itself, but none that may change several documents. And
 * those by which MongoDB gives no right (13) or does not take our password (18).
 */
const unavailableMongoCodes = new Set<unknown>([
  6, 7, 13, 18, 89, 91, 134, 189, 262, 9_001, 10_107, 11_600, 11_602, 13_435, 13_436,
]);

const isMongoUnavailable = (error: Error) =>
  error.name.startsWith('Mongo') && 'code' in error && unavailableMongoCodes.has(error.code);

/**
 * Answers by which Elasticsearch says that it cannot serve now, e.g. while shards come back after a restart, or does not serve us:
 * by a password that was changed, a license that has ended, an index that is blocked.
 */
const unavailableStatuses = new Set<unknown>([401, 403, 429, 502, 503, 504]);

const isElasticsearchUnavailable = (error: Error) =>
  error.name === 'ResponseError' && 'statusCode' in error && unavailableStatuses.has(error.statusCode);

/** What a peer met that answered 500. */
export class PeerDefect extends Error {
  constructor() {
    super('status 500');
    this.name = 'PeerDefect';
  }
}

/**
 * Whether a peer answered 500. Callers are told that it is away, but it is there: what waits for it may be what it cannot do, and
 * would be waited with for ever.
 */
export function isPeerDefect(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  return error instanceof PeerDefect || (error.cause !== error && isPeerDefect(error.cause));
}

/** Whether an error means that a store or a peer is away for now (503), not that the request or the code is wrong. */
export function isUnavailableError(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  if (unavailableNames.has(error.name) || isMongoUnavailable(error) || isElasticsearchUnavailable(error))
    return true;
  if (unavailableTexts.some((text) => error.message.includes(text))) return true;
  // What ended several writes at once is inside of an error of its own.
  if ('errorResponse' in error && error.errorResponse !== error && isUnavailableError(error.errorResponse))
    return true;
  return error.cause !== error && isUnavailableError(error.cause);
}
