import { createBackoff } from './backoff.ts';
import type { Tokens } from './tokens.ts';

/** The member's sign-in is over: it was ended, or its tokens are too old. The app has to show the login. */
export class SignedOut extends Error {
  override readonly name = 'SignedOut';
}

/**
 * The call needs a sign-in that is more recent than this one: begin another with `beginSignIn({ …, maxAge })`, then make
 * the call again. New tokens for the old sign-in do not help.
 */
export class RecentSignInRequired extends Error {
  override readonly name = 'RecentSignInRequired';
  /** How many seconds old the sign-in may be at most. */
  readonly maxAge: number;

  constructor(maxAge: number) {
    super(`a sign-in of the last ${maxAge} seconds is required`);
    this.maxAge = maxAge;
  }
}

/** Where tokens come from, and for which application. */
export interface TokenCallOptions {
  /** {auth_url}: the Authorization Server's address. */
  readonly authUrl: string;
  readonly clientId: string;
  /** Absent where the address is a server of the app's own, which adds it to POST /token and POST /revoke. */
  readonly clientSecret?: string;
  /** In place of the global one. */
  readonly fetch?: typeof globalThis.fetch;
  /** Pause in milliseconds before a lost token call is tried again. */
  readonly pause?: (milliseconds: number) => Promise<void>;
}

type Parameters = Readonly<Record<string, string>>;

type Meanwhile = () => Promise<Tokens | undefined>;

/** Calls of the Authorization Server in the name of the application. */
export interface TokenCalls {
  /** One call; rejects without an answer. */
  readonly post: (path: string, parameters: Parameters) => Promise<Answer>;
  /**
   * Tokens of POST /token; throws SignedOut where they are refused. Before it is asked again `meanwhile` is looked at: tokens
   * that are there by then are the answer.
   */
  readonly tokensFrom: (parameters: Parameters, meanwhile?: Meanwhile) => Promise<Tokens>;
}

const triesOfToken = 4;

/** Answers after which the same call may be made again: nothing was lost by it. 408 is what a slow network gets. */
const isPassing = (status: number) => status === 408 || status === 429 || status >= 500;

/**
 * Whether a code or a token is refused (RFC 6749 5.2). Other answers say nothing of it: they are about the application, which
 * may be disabled for a while, or come from what stands in between.
 */
const isRefusal = (text: string): boolean => {
  try {
    return (JSON.parse(text) as { error?: unknown } | null)?.error === 'invalid_grant';
  } catch {
    return false;
  }
};

/** Milliseconds that one token call may take. The next try still falls into the 10 s in which a lost refresh is answered again. */
const answerMs = 8_000;

/** Longest pause in milliseconds that an answer may ask for; who asks for more, say for maintenance, is not waited for. */
const mostPause = 30_000;

interface Answer {
  readonly status: number;
  /** Milliseconds; 0 where nothing is said, or a date. */
  readonly retryAfter: number;
  readonly text: string;
}

const wait = (milliseconds: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds);
  });

interface TokenAnswer {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
}

/** The tokens of an answer that was asked for at a time; throws SignedOut where they are refused. */
const read = ({ status, text }: Answer, asked: number): Tokens => {
  if (status !== 200) {
    const message = `no tokens: ${status} ${text}`;
    throw isRefusal(text) ? new SignedOut(message) : new Error(message);
  }
  const { access_token, refresh_token, expires_in } = JSON.parse(text) as TokenAnswer;
  return { access_token, refresh_token, expires_at: asked + expires_in * 1000 };
};

/** Creates the calls. */
export function createTokenCalls(options: TokenCallOptions): TokenCalls {
  const { authUrl, clientId, clientSecret, pause = wait } = options;
  const credentials = {
    client_id: clientId,
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
  };

  /** Rejects where the whole answer is not there in time: a connection that was lost may not show it for minutes. */
  const post = async (path: string, parameters: Parameters): Promise<Answer> => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), answerMs);
    try {
      const response = await (options.fetch ?? fetch)(new URL(path, authUrl), {
        method: 'POST',
        body: new URLSearchParams({ ...credentials, ...parameters }),
        signal: late.signal,
      });
      const retryAfter = (Number(response.headers.get('Retry-After')) || 0) * 1000;
      return { status: response.status, retryAfter, text: await response.text() };
    } finally {
      clearTimeout(timer);
    }
  };

  /**
   * A token call whose answer is lost may be made again: it answers the same pair. Not where another page had the
   * tokens in a pause that became long, as they do in a tab that sleeps: a token that is used late ends the sign-in.
   */
  const tokensFrom = async (parameters: Parameters, meanwhile?: Meanwhile): Promise<Tokens> => {
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
