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
]);

const textsOfAway = [
  "Stream isn't writeable",
  'Connection is closed',
  'Command timed out',
  'before initial connection is complete',
];

/** Whether an error means that a store or a peer is away for now (503, D2), not that the request or the code is wrong. */
export function isStoreAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (namesOfAway.has(error.name)) return true;
  if (textsOfAway.some((text) => error.message.includes(text))) return true;
  return error.cause !== error && isStoreAway(error.cause);
}
