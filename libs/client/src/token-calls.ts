import { createBackoff } from './backoff.ts';
import type { DeviceKey } from './device-key.ts';
import type { Tokens } from './tokens.ts';

/** The sign-in has ended or its tokens have expired. The app has to start a sign-in. */
export class SignedOut extends Error {
  override readonly name = 'SignedOut';
}

/**
 * The call needs a more recent sign-in: start one with `beginSignIn({ …, maxAge })`, then repeat the call. Refreshing the
 * tokens does not help.
 */
export class RecentSignInRequired extends Error {
  override readonly name = 'RecentSignInRequired';
  /** The maximum age of the sign-in in seconds. */
  readonly maxAge: number;

  constructor(maxAge: number) {
    super(`a sign-in of the last ${maxAge} seconds is required`);
    this.maxAge = maxAge;
  }
}

/** The authorization server and the client application. */
export interface TokenCallOptions {
  /** The URL of the authorization server. */
  readonly authUrl: string;
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret?: string;
  /** Binds the tokens to a key of this device (DPoP). */
  readonly deviceKey?: DeviceKey;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds before a token call without an answer is retried. */
  readonly pause?: (milliseconds: number) => Promise<void>;
}

type Parameters = Readonly<Record<string, string>>;

const triesOfToken = 4;

/** Statuses after which the same call may be retried. A slow network gets 408. */
const isPassing = (status: number) => status === 408 || status === 429 || status >= 500;

/**
 * The OAuth error of an answer. `invalid_grant` refuses the code or token (RFC 6749, 5.2); other failures are about the
 * application, which may be disabled temporarily, or come from a proxy.
 */
const errorOf = (text: string): unknown => {
  try {
    return (JSON.parse(text) as { error?: unknown } | null)?.error;
  } catch {
    return undefined;
  }
};

/** Timeout of one token call in milliseconds. A retry still falls into the 10 s in which a refresh may be repeated. */
const answerMs = 8_000;

/** Longest Retry-After in milliseconds that is waited for. */
const mostPause = 30_000;

type Answer = {
  readonly status: number;
  /** Milliseconds; 0 without the header, or for a date. */
  readonly retryAfter: number;
  readonly text: string;
};

const wait = (milliseconds: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds);
  });

interface TokenAnswer {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
}

/** The tokens of an answer to a request of that time. Throws SignedOut when they are refused. */
const read = ({ status, text }: Answer, asked: number): Tokens => {
  if (status !== 200) {
    const message = `no tokens: ${status} ${text}`;
    throw errorOf(text) === 'invalid_grant' ? new SignedOut(message) : new Error(message);
  }
  const { access_token, refresh_token, expires_in } = JSON.parse(text) as TokenAnswer;
  return { access_token, refresh_token, expires_at: asked + expires_in * 1000 };
};

/** Calls to the authorization server on behalf of the application. */
export function createTokenCalls(options: TokenCallOptions) {
  const { authUrl, clientId, clientSecret, deviceKey, pause = wait } = options;
  const credentials = {
    client_id: clientId,
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
  };

  /** The last nonce of the server, for devices whose clock is wrong. */
  let nonce: string | undefined;

  const proof = async (url: string): Promise<Record<string, string>> =>
    deviceKey ? { DPoP: await deviceKey.prove({ method: 'POST', url, ...(nonce && { nonce }) }) } : {};

  /** Rejects when the answer is not complete in time: a lost connection may stay unnoticed for minutes. */
  const post = async (path: string, parameters: Parameters): Promise<Answer> => {
    const answer = await postOnce(path, parameters);
    return errorOf(answer.text) === 'use_dpop_nonce' ? postOnce(path, parameters) : answer;
  };

  const postOnce = async (path: string, parameters: Parameters): Promise<Answer> => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), answerMs);
    try {
      const url = new URL(path, authUrl);
      const response = await (options.fetch ?? fetch)(url, {
        method: 'POST',
        headers: await proof(url.href),
        body: new URLSearchParams({ ...credentials, ...parameters }),
        signal: late.signal,
      });
      nonce = response.headers.get('DPoP-Nonce') ?? nonce;
      const retryAfter = (Number(response.headers.get('Retry-After')) || 0) * 1000;
      return { status: response.status, retryAfter, text: await response.text() };
    } finally {
      clearTimeout(timer);
    }
  };

  /**
   * Tokens from POST /token; throws SignedOut when they are refused. A call without an answer is repeated: it answers the same
   * pair. Not when `meanwhile` finds tokens that another page refreshed during a long delay, as in a sleeping tab: a token that is
   * used late ends the sign-in.
   */
  const tokensFrom = async (
    parameters: Parameters,
    meanwhile?: () => Promise<Tokens | undefined>,
  ): Promise<Tokens> => {
    const asked = Date.now();
    const backoff = createBackoff();
    for (let left = triesOfToken - 1; ; left -= 1) {
      const answer = await post('/token', parameters).catch((error: unknown) => {
        if (left === 0) throw error;
        return undefined;
      });
      const { status = 0, retryAfter = 0 } = answer ?? {};
      if (answer && (left === 0 || !isPassing(status) || retryAfter > mostPause)) return read(answer, asked);
      await pause(Math.max(backoff.next(), retryAfter));
      const others = await meanwhile?.();
      if (others) return others;
    }
  };

  return { post, tokensFrom };
}
