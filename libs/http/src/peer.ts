import { Failure } from '@covalence/contract/failure';
import { internalApi, type InternalClient } from '@covalence/contract/internal/api';
import type { InternalCaller, InternalService } from '@covalence/contract/internal/callers';
import type { Exchange } from '@covalence/contract/internal/exchange';
import { errorText } from '@covalence/runtime/error-text';
import { currentRequestId } from '@covalence/runtime/request-context';
import { PeerDefect } from '@covalence/runtime/unavailable-error';
import { inSpan, traceHeaders } from '@covalence/runtime/tracing';
import { trace } from '@opentelemetry/api';
import { Agent, request, type Dispatcher } from 'undici';
import { z } from 'zod';
import { connectionAgeMs } from './connection-age.ts';

/**
 * Another service: one function for each of its /internal endpoints. A function POSTs JSON and checks the answer. It throws a 4xx
 * of the peer as the same Failure. No answer, a late one or a 5xx throws PeerUnavailable, which answers 503.
 */
export type Peer<Service extends InternalService> = InternalClient<Service>;

/** A peer that cannot be reached or does not answer in time. */
class PeerUnavailable extends Error {
  constructor(path: string, cause: unknown) {
    super(`no answer from ${path}: ${errorText(cause)}`, { cause });
    this.name = 'PeerUnavailable';
  }
}

/** Connections to peers, of every peer of the process. Not the one of fetch, where each call goes through a wrapper of another version. */
const dispatcher = new Agent({ clientTtl: connectionAgeMs });

/**
 * Runs a call that ends after so long. Not AbortSignal.timeout, whose timers go on when the call is over, and then make an
 * error each that nobody wants.
 */
async function within<Result>(
  limitMs: number,
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), limitMs);
  try {
    return await call(late.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** What a failure looks like on the wire, as far as one that is passed on has it. */
export const failureBody = z.object({ fail: z.string(), failcode: z.array(z.int()).optional() });

const asJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

function refusal(
  path: string,
  status: number,
  text: string,
  headers: Dispatcher.ResponseData['headers'],
): Error {
  const body = failureBody.safeParse(asJson(text));
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

/** Gives the Authorization header of a call of a service by one of the endpoint's callers. */
interface Credential {
  authorizationFor(service: InternalService, callers: readonly InternalCaller[]): Promise<string>;
}

/** Where a peer is, and who calls it. */
export interface PeerOptions<Service extends InternalService> {
  readonly url: string;
  readonly to: Service;
  readonly credential: Credential;
  /** Time limit of a call, ms, unless its endpoint has one of its own. */
  readonly timeoutMs?: number;
  /** What is thrown in place of an error of a call. */
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
    const away = (error: unknown): never => {
      throw new PeerUnavailable(at.pathname, error);
    };
    const authorization = await credential.authorizationFor(to, callers);
    // Not fetch, whose streams and abort signals take several times as long as the rest of a call; it follows no redirect.
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
    }).catch(away);
    trace.getActiveSpan()?.setAttribute('http.response.status_code', statusCode);
    // The peer may end in the middle of its answer; what came whole and is no JSON is a defect.
    const text = await answer.text().catch(away);
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
