import { AsyncLocalStorage } from 'node:async_hooks';

/** What follows one request through HTTP, AMQP and the log. */
export interface RequestContext {
  readonly requestId: string;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `work` with the context; everything it starts sees it. */
export function withRequestContext<Result>(context: RequestContext, work: () => Result): Result {
  return storage.run(context, work);
}

/** The request id of the work under way, or undefined outside of any request. */
export function currentRequestId(): string | undefined {
  return storage.getStore()?.requestId;
}
