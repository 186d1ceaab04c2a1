import { types } from 'node:util';

/** Names of driver errors that mean the store cannot be reached now. */
const unavailableNames = new Set([
  'MongoServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoPoolClearedError',
  'PoolClearedOnNetworkError',
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
  // Redis is starting, failing over or cut off from its master.
  'LOADING ',
  'READONLY ',
  'MASTERDOWN ',
  'CLUSTERDOWN ',
  // The client of a cluster knows no server yet, or the servers do not agree who has a key.
  "Cluster isn't ready",
  'None of startup nodes is available',
  'Too many Cluster redirections',
  'TRYAGAIN ',
  'MOVED ',
  // Redis takes no writes: it is out of memory or of replicas.
  'OOM command not allowed',
  'MISCONF ',
  'NOREPLICAS ',
  // Redis refuses the password or the command.
  'NOAUTH ',
  'WRONGPASS ',
  'NOPERM ',
];

/**
 * MongoDB error codes of a replica set member that cannot serve now (no primary, recovering, shutting down, isolated), of a set without
 * a majority (64, 100) or a member to read from (133), of cursors that a restart took (43, 237), and of missing rights (13) or a refused
 * password (18). The driver itself repeats most calls once, but none that change several documents or read on.
 */
const unavailableMongoCodes = new Set<unknown>([
  6, 7, 13, 18, 43, 64, 89, 91, 100, 133, 134, 189, 237, 262, 9_001, 10_107, 11_600, 11_602, 13_435, 13_436,
]);

const isMongoUnavailable = (error: Error) =>
  error.name.startsWith('Mongo') && 'code' in error && unavailableMongoCodes.has(error.code);

/**
 * Statuses of Elasticsearch when it cannot serve now: shards recover, the password was changed, the license has expired or the index
 * is blocked.
 */
const unavailableStatuses = new Set<unknown>([401, 403, 429, 502, 503, 504]);

const isElasticsearchUnavailable = (error: Error) =>
  error.name === 'ResponseError' && 'statusCode' in error && unavailableStatuses.has(error.statusCode);

/** A peer answered 500. */
export class PeerDefect extends Error {
  constructor() {
    super('status 500');
    this.name = 'PeerDefect';
  }
}

/** Whether a peer answered 500: it is running, but this call may fail forever, so a consumer must not wait for it. */
export function isPeerDefect(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  return error instanceof PeerDefect || (error.cause !== error && isPeerDefect(error.cause));
}

/** Whether an error means that a store or a peer is unavailable (503), not that the request or the code is wrong. */
export function isUnavailableError(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  if (unavailableNames.has(error.name) || isMongoUnavailable(error) || isElasticsearchUnavailable(error))
    return true;
  if (unavailableTexts.some((text) => error.message.includes(text))) return true;
  // Bulk writes wrap the cause in an error of their own.
  if ('errorResponse' in error && error.errorResponse !== error && isUnavailableError(error.errorResponse))
    return true;
  return error.cause !== error && isUnavailableError(error.cause);
}
