import { Failure } from '@covalence/contract/failure';
import { internalApi, type InternalClient } from '@covalence/contract/peers/api';
import type { InternalCaller, InternalService } from '@covalence/contract/peers/callers';
import type { Exchange } from '@covalence/contract/peers/exchange';
import { errorText } from '@covalence/runtime/error-text';
import { jsonText } from '@covalence/runtime/json-text';
import { currentRequestId } from '@covalence/runtime/request-context';
import { PeerDefect } from '@covalence/runtime/unavailable-error';
import { inSpan, traceHeaders } from '@covalence/runtime/tracing';
import { trace } from '@opentelemetry/api';
import { Agent, request, type Dispatcher } from 'undici';
import { z } from 'zod';

/**
 * A client of another service with one function per /internal endpoint. It validates the answer, passes a 4xx
 * on as the same Failure, and throws PeerUnavailable (503) for a 5xx, a timeout or no answer.
 */
export type Peer<Service extends InternalService> = InternalClient<Service>;

/** The peer is unreachable or did not answer in time. */
class PeerUnavailable extends Error {
  constructor(path: string, cause: unknown) {
    super(`no answer from ${path}: ${errorText(cause)}`, { cause });
    this.name = 'PeerUnavailable';
  }
}

/**
 * Maximum age of a connection to another service, ms. A cluster address selects a process per connection, so newer
 * processes would otherwise get no calls.
 */
export const connectionAgeMs = 30_000;

/** Shared by every peer of the process. fetch would add a wrapper to each call. */
const dispatcher = new Agent({ clientTtl: connectionAgeMs });

/** Runs a call with a time limit. AbortSignal.timeout is not used: its timers outlive the call. */
async function within<Result>(
  limitMs: number,
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), limitMs);
  try {
    return await call(timeout.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** The body of a failure, as far as callers read it. */
export const failureBody = z.object({
  fail: z.string(),
  failcode: z.array(z.int()).optional(),
  problems: z.array(z.object({ path: z.string(), problem: z.string() })).optional(),
});

const failureText = jsonText.pipe(failureBody);

function refusal(
  path: string,
  status: number,
  text: string,
  headers: Dispatcher.ResponseData['headers'],
): Error {
  const body = failureText.safeParse(text);
  const passes = status < 500 && status !== 401 && body.success;
  if (!passes) {
    return new PeerUnavailable(path, status === 500 ? new PeerDefect() : new Error(`status ${status}`));
  }
  const wait = headers['retry-after'];
  return new Failure(status, body.data.fail, {
    failcode: body.data.failcode ?? [],
    ...(typeof wait === 'string' && { headers: { 'Retry-After': wait } }),
  });
}

/** Creates the Authorization header of a call on behalf of one of the allowed callers. */
interface Credential {
  authorizationFor(service: InternalService, callers: readonly InternalCaller[]): Promise<string>;
}

/** Address and credentials of a peer. */
export interface PeerOptions<Service extends InternalService> {
  readonly url: string;
  readonly to: Service;
  readonly credential: Credential;
  /** Default time limit of a call, ms. */
  readonly timeoutMs?: number;
  /** Converts the error of a call. */
  readonly onError?: (error: unknown) => unknown;
}

/** Creates the function that calls endpoints of a peer, with the caller's token and the request id. */
export function createCall({ url, to, credential, timeoutMs = 5_000 }: PeerOptions<InternalService>) {
  const send = async (
    at: URL,
    callers: readonly InternalCaller[],
    body: unknown,
    signal: AbortSignal,
  ): Promise<unknown> => {
    const id = currentRequestId();
    const unavailable = (error: unknown): never => {
      throw new PeerUnavailable(at.pathname, error);
    };
    const authorization = await credential.authorizationFor(to, callers);
    // undici is several times faster than fetch here. It follows no redirects.
    const {
      statusCode,
      headers,
      body: answer,
    } = await request(at, {
      dispatcher,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization,
        ...(id && { 'x-request-id': id }),
        ...traceHeaders(),
      },
      body: JSON.stringify(body),
      signal,
    }).catch(unavailable);
    trace.getActiveSpan()?.setAttribute('http.response.status_code', statusCode);
    // The peer may die while it answers. A complete body that is not JSON is a defect.
    const text = await answer.text().catch(unavailable);
    if (statusCode < 200 || statusCode > 299) throw refusal(at.pathname, statusCode, text, headers);
    return JSON.parse(text);
  };
  return async <Output>(
    {
      path,
      callers,
      output,
      timeoutMs: limitMs = timeoutMs,
    }: Exchange & { readonly output: z.ZodType<Output> },
    input: unknown,
  ): Promise<Output> => {
    const at = new URL(path, url);
    const attributes = {
      'http.request.method': 'POST',
      'url.path': path,
      'server.address': at.hostname,
      'server.port': Number(at.port) || (at.protocol === 'https:' ? 443 : 80),
    };
    return inSpan({ name: `POST ${path}`, kind: 'client', attributes }, async () =>
      output.parse(await within(limitMs, (signal) => send(at, callers, input, signal))),
    );
  };
}

/** Creates the client of a service. */
export function createPeer<Service extends InternalService>(options: PeerOptions<Service>): Peer<Service> {
  const { onError = (error) => error } = options;
  const call = createCall(options);
  const exchanges = Object.entries<Exchange>(internalApi[options.to]);
  return Object.fromEntries(
    exchanges.map(([name, exchange]) => [
      name,
      (input: unknown) =>
        call(exchange, input).catch((error: unknown) => {
          throw onError(error);
        }),
    ]),
  ) as unknown as Peer<Service>;
}
