import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';

/** An answer; its body is short. */
export interface Http2Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: string;
}

/** A POST request. */
export interface Http2Request {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The address to connect to, limits, and replacements for tests. */
interface Http2Options {
  readonly origin: string;
  readonly timeoutMs: number;
  readonly pingEveryMs?: number;
  /** An additional trusted certificate, PEM. */
  readonly ca?: string | undefined;
}

/** Longer than any documented answer. */
const longestBody = 16_384;
/** A connection that answers no ping for this long is dead. */
const pingWaitMs = 5_000;

const { HTTP2_HEADER_METHOD: method, HTTP2_HEADER_PATH: path } = constants;

/** The server has not processed the request, so that it can be repeated at once (RFC 9113, section 8.7). */
const isRefused = (stream: ClientHttp2Stream) => stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;

/** Reads the answer to a request. Rejects with the error of the stream or the reason of `signal`. */
function answerOf(stream: ClientHttp2Stream): Promise<Http2Answer> {
  return new Promise((resolve, reject) => {
    let code = 0;
    let retryAfter: string | undefined;
    let length = 0;
    const chunks: Buffer[] = [];
    stream.once('response', (headers) => {
      code = headers[':status'] ?? 0;
      retryAfter = headers['retry-after'];
    });
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= longestBody) chunks.push(chunk);
    });
    stream.once('error', reject);
    stream.once('close', () => {
      if (code) resolve({ status: code, retryAfter, body: Buffer.concat(chunks).toString('utf8') });
      else reject(Object.assign(new Error('closed without an answer'), { code: 'ERR_HTTP2_NO_ANSWER' }));
    });
  });
}

/** Asks whether the other end is still there, and gives the connection up if not. */
function ping(to: ClientHttp2Session): void {
  if (to.closed || to.destroyed || to.connecting) return;
  const dead = setTimeout(() => to.destroy(), pingWaitMs).unref();
  to.ping(() => clearTimeout(dead));
}

/**
 * Creates a connection, which opens with the first request and again when it ends. A server that says GOAWAY finishes its requests
 * on the old connection while new ones use the next. Pings find a connection that died without a word.
 */
export function createHttp2Connection({ origin, timeoutMs, pingEveryMs = 60_000, ca }: Http2Options) {
  let session: ClientHttp2Session | undefined;
  let isClosed = false;

  const open = (): ClientHttp2Session => {
    if (session && !session.closed && !session.destroyed) return session;
    const fresh = connect(origin, ca === undefined ? {} : { ca });
    // Each request reports it.
    fresh.on('error', () => undefined);
    const pings = setInterval(() => ping(fresh), pingEveryMs).unref();
    fresh.once('close', () => clearInterval(pings));
    fresh.setMaxListeners(0);
    session = fresh;
    return fresh;
  };

  const attempt = async (
    { path: target, headers, body }: Http2Request,
    signal: AbortSignal,
  ): Promise<Http2Answer | 'refused'> => {
    const used = open();
    const late = AbortSignal.timeout(timeoutMs);
    const stream = used.request(
      { ...headers, [method]: 'POST', [path]: target, 'content-length': String(body.length) },
      { signal: AbortSignal.any([signal, late]) },
    );
    try {
      const answered = answerOf(stream);
      stream.end(body);
      return await answered;
    } catch (error) {
      if (isRefused(stream)) return 'refused';
      if (late.aborted) ping(used);
      throw error;
    }
  };

  return {
    /** Sends a request and resolves with its answer; rejects when there is none in time. */
    async post(request: Http2Request, signal: AbortSignal): Promise<Http2Answer> {
      if (isClosed) throw Object.assign(new Error('closed'), { code: 'ERR_HTTP2_CLOSED' });
      const first = await attempt(request, signal);
      if (first !== 'refused') return first;
      const second = await attempt(request, signal);
      if (second !== 'refused') return second;
      throw Object.assign(new Error('refused twice'), { code: 'ERR_HTTP2_REFUSED' });
    },
    close(): void {
      isClosed = true;
      session?.destroy();
    },
  };
}
