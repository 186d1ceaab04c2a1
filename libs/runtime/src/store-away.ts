import { types } from 'node:util';

/** Errors by which the drivers say that their store cannot be reached now. */
const namesOfAway = new Set([
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
  'IndexUnavailable',
]);

const textsOfAway = [
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
];

/** Answers by which Elasticsearch says that it cannot serve now, e.g. while shards come back after a restart. */
const statusesOfAway = new Set<unknown>([429, 502, 503, 504]);

const isOverloaded = (error: Error) =>
  error.name === 'ResponseError' && 'statusCode' in error && statusesOfAway.has(error.statusCode);

/** Whether an error means that a store or a peer is away for now (503, D2), not that the request or the code is wrong. */
export function isStoreAway(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  if (namesOfAway.has(error.name) || isOverloaded(error)) return true;
  if (textsOfAway.some((text) => error.message.includes(text))) return true;
  // What ended several writes at once is inside of an error of its own.
  if ('errorResponse' in error && error.errorResponse !== error && isStoreAway(error.errorResponse))
    return true;
  return error.cause !== error && isStoreAway(error.cause);
}
