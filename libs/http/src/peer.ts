import { Failure } from '@covalence/contract/failure';
import type { InternalService } from '@covalence/contract/internal/callers';
import { errorText } from '@covalence/runtime/error-text';
import { currentRequestId } from '@covalence/runtime/request-context';
import { PeerDefect } from '@covalence/runtime/unavailable-error';
import { inSpan, traceHeaders } from '@covalence/runtime/tracing';
import { trace } from '@opentelemetry/api';
import { Agent, request, type Dispatcher } from 'undici';
import { z } from 'zod';
import { connectionAgeMs } from './connection-age.ts';
import type { ServiceCredential } from './service-credential.ts';

/** A service that another one calls under /internal. */
export interface Peer {
  /**
   * POSTs JSON and checks the answer. A 4xx of the peer is thrown as the same Failure, so that codes pass through;
   * no answer, a late one or a 5xx throws PeerUnavailable, which answers 503; a consumer of events does not wait for a 500
   *.
   */
  call<Output>(path: string, body: unknown, output: z.ZodType<Output>): Promise<Output>;
}

interface Exchange {
  readonly input: z.ZodType;
  readonly output: z.ZodType;
}

/** One /internal endpoint of a peer as a function, typed by its contract. */
export type Ask<Contract extends Exchange> = (
  input: z.input<Contract['input']>,
) => Promise<z.output<Contract['output']>>;

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

/** Whom a service calls, and in whose name. */
export interface PeerOptions {
  readonly url: string;
  /** The service that is there. */
  readonly to: InternalService;
  readonly credential: ServiceCredential;
  readonly timeoutMs?: number;
}

/** What a service's own clients of a peer are made of. */
export type PeerAccess = Pick<PeerOptions, 'url' | 'credential'>;

/** Creates the client of a peer; calls carry the caller's token and the request id, and end after `timeoutMs`. */
export function createPeer({ url, to, credential, timeoutMs = 5_000 }: PeerOptions): Peer {
  const send = async (at: URL, body: unknown, signal: AbortSignal): Promise<unknown> => {
    const id = currentRequestId();
    const away = (error: unknown): never => {
      throw new PeerUnavailable(at.pathname, error);
    };
    const authorization = await credential.authorizationFor(to);
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
  return {
    async call(path, body, output) {
      const at = new URL(path, url);
      const attributes = {
        'http.request.method': 'POST',
        'url.path': path,
        'server.address': at.hostname,
        'server.port': Number(at.port) || (at.protocol === 'https:' ? 443 : 80),
      };
      return inSpan({ name: `POST ${path}`, kind: 'client', attributes }, async () =>
        output.parse(await within(timeoutMs, (signal) => send(at, body, signal))),
      );
    },
  };
}

/** The function that asks a peer under a path what the contract says. */
export const ask =
  <Input, Output>(
    peer: Peer,
    path: string,
    exchange: { input: z.ZodType<unknown, Input>; output: z.ZodType<Output> },
  ) =>
  (input: Input): Promise<Output> =>
    peer.call(path, input, exchange.output);
