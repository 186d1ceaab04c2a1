import { createTokenCalls, RecentSignInRequired, SignedOut, type TokenCallOptions } from './token-calls.ts';
import type { Tokens, TokenStorage } from './tokens.ts';

export { RecentSignInRequired, SignedOut };

/** What a session is made of. */
export interface SessionOptions extends TokenCallOptions {
  readonly storage: TokenStorage;
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

/** Creates a session on a storage. */
export function createSession(options: SessionOptions): Session {
  const { storage } = options;
  const { post, tokensFrom } = createTokenCalls(options);
  const listeners = new Set<(tokens: Tokens | undefined) => void>();
  let refreshing: { readonly used: string; readonly tokens: Promise<Tokens> } | undefined;

  const keep = async (tokens: Tokens | undefined) => {
    await storage.write(tokens);
    for (const listener of listeners) listener(tokens);
  };

  const read = async (): Promise<Tokens> => {
    const tokens = await storage.read();
    if (!tokens) throw new SignedOut('nobody is signed in');
    return tokens;
  };

  const refreshNow = async (usedAccessToken: string): Promise<Tokens> => {
    /** Another call, page or process that shares the storage was quicker, or somebody else has signed in. */
    const others = async (): Promise<Tokens | undefined> => {
      const now = await read();
      return now.access_token === usedAccessToken ? undefined : now;
    };
    const tokens = await read();
    if (tokens.access_token !== usedAccessToken) return tokens;
    const { refresh_token } = tokens;
    const fresh = await tokensFrom({ grant_type: 'refresh_token', refresh_token }, others).catch(
      async (error: unknown) => {
        if (!(error instanceof SignedOut)) throw error;
        const there = await others();
        if (there) return there;
        await keep(undefined);
        throw error;
      },
    );
    // Who signed out, or in as somebody else, while the answer was on its way stays so.
    if (!(await others())) await keep(fresh);
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
