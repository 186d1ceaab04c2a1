import { AsyncLocalStorage } from 'node:async_hooks';

/** Data of one request that HTTP, AMQP and the log carry on. */
export interface RequestContext {
  readonly requestId: string;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `work`, and everything that it starts, with the context. */
export function withRequestContext<Result>(context: RequestContext, work: () => Result): Result {
  return storage.run(context, work);
}

/** The current request id; undefined outside of a request. */
export function currentRequestId(): string | undefined {
  return storage.getStore()?.requestId;
}
