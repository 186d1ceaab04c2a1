import { createBackoff } from './backoff.ts';
import type { Tokens, TokenStorage } from './tokens.ts';

/** The member's sign-in is over: it was ended, or its tokens are too old. The app has to show the login. */
export class SignedOut extends Error {
  override readonly name = 'SignedOut';
}

/** What a session is made of. */
export interface SessionOptions {
  /** {auth_url}: the Authorization Server's address. */
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly storage: TokenStorage;
  /** In place of the global one. */
  readonly fetch?: typeof globalThis.fetch;
  /** Pause in milliseconds before a lost token call is tried again. */
  readonly pause?: (milliseconds: number) => Promise<void>;
}

/** A code on its way to tokens. */
export interface CodeExchange {
  readonly code: string;
  readonly redirectUri: string;
  /** PKCE verifier, where the sign-in had a challenge. */
  readonly verifier?: string;
}

/** The tokens of one member on one device. */
export interface Session {
  /** The tokens as they are, or undefined where nobody is signed in. */
  tokens(): Promise<Tokens | undefined>;
  /**
   * Tokens for a code, of a sign-in or of POST /members. A code is good for 10 seconds; throws SignedOut where it is refused, and
   * whoever was signed in before stays so.
   */
  exchange(exchange: CodeExchange): Promise<Tokens>;
  /**
   * New tokens in place of those with this access token. However many ask at once, one call is made; where the tokens
   * are others by now, those are the answer. Throws SignedOut where there are none or the sign-in is over.
   */
  refresh(usedAccessToken: string): Promise<Tokens>;
  /** Ends the sign-in on the server and forgets the tokens; forgotten they are even where the server is away. */
  signOut(): Promise<void>;
  /** Tells of new tokens, and of undefined when they are forgotten; the answer ends it. */
  onChange(listener: (tokens: Tokens | undefined) => void): () => void;
}

const triesOfToken = 4;

/** Answers after which the same call may be made again: nothing was lost by it (D42). 408 is what a slow network gets. */
const isPassing = (status: number) => status === 408 || status === 429 || status >= 500;

/** What refuses a code, a token or the application (RFC 6749 5.2). Others come from what stands in between. */
const isRefusal = (status: number) => status === 400 || status === 401;

const retryAfter = (response: Response) => Number(response.headers.get('Retry-After') ?? 0) * 1000;

const wait = (milliseconds: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds);
  });

interface TokenAnswer {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
}

/** Creates a session on a storage. */
export function createSession(options: SessionOptions): Session {
  const { authUrl, clientId, clientSecret, storage, pause = wait } = options;
  const listeners = new Set<(tokens: Tokens | undefined) => void>();
  let refreshing: { readonly used: string; readonly tokens: Promise<Tokens> } | undefined;

  const post = (path: string, parameters: Readonly<Record<string, string>>) =>
    (options.fetch ?? fetch)(new URL(path, authUrl), {
      method: 'POST',
      body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...parameters }),
    });

  const keep = async (tokens: Tokens | undefined) => {
    await storage.write(tokens);
    for (const listener of listeners) listener(tokens);
  };

  /** A token call whose answer is lost may be made again: it answers the same pair (D42, D52). */
  const ask = async (parameters: Readonly<Record<string, string>>): Promise<Response> => {
    const backoff = createBackoff();
    for (let left = triesOfToken - 1; ; left -= 1) {
      const response = await post('/token', parameters).catch((error: unknown) => {
        if (left === 0) throw error;
        return undefined;
      });
      if (response && (left === 0 || !isPassing(response.status))) return response;
      await pause(Math.max(backoff.next(), response ? retryAfter(response) : 0));
    }
  };

  const tokensFrom = async (parameters: Readonly<Record<string, string>>): Promise<Tokens> => {
    const asked = Date.now();
    const response = await ask(parameters);
    if (!response.ok) {
      const text = await response.text();
      const message = `no tokens: ${response.status} ${text}`;
      throw isRefusal(response.status) ? new SignedOut(message) : new Error(message);
    }
    const { access_token, refresh_token, expires_in } = (await response.json()) as TokenAnswer;
    return { access_token, refresh_token, expires_at: asked + expires_in * 1000 };
  };

  const refreshNow = async (usedAccessToken: string): Promise<Tokens> => {
    const tokens = await storage.read();
    if (!tokens) throw new SignedOut('nobody is signed in');
    // Another call, page or process that shares the storage was quicker.
    if (tokens.access_token !== usedAccessToken) return tokens;
    // Who signed out, or in as somebody else, while the answer was on its way stays so.
    const putInPlace = async (fresh: Tokens | undefined) => {
      const now = await storage.read();
      if (!now) throw new SignedOut('signed out meanwhile');
      if (now.access_token === usedAccessToken) await keep(fresh);
    };
    const { refresh_token } = tokens;
    const fresh = await tokensFrom({ grant_type: 'refresh_token', refresh_token }).catch(
      async (error: unknown) => {
        if (error instanceof SignedOut) await putInPlace(undefined);
        throw error;
      },
    );
    await putInPlace(fresh);
    return fresh;
  };

  return {
    tokens: () => storage.read(),
    async exchange({ code, redirectUri, verifier }) {
      const tokens = await tokensFrom({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        ...(verifier !== undefined && { code_verifier: verifier }),
      });
      await keep(tokens);
      return tokens;
    },
    refresh(used) {
      // One under way may be of a sign-in that is over, and its tokens somebody else's.
      if (refreshing?.used === used) return refreshing.tokens;
      const begun = {
        used,
        tokens: refreshNow(used).finally(() => begun === refreshing && (refreshing = undefined)),
      };
      refreshing = begun;
      return begun.tokens;
    },
    async signOut() {
      const tokens = await storage.read();
      await keep(undefined);
      if (tokens) await post('/revoke', { token: tokens.refresh_token }).catch(() => undefined);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
