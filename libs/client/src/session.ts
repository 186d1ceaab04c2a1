import type { DeviceKey } from './device-key.ts';
import { createTokenCalls, RecentSignInRequired, SignedOut, type TokenCallOptions } from './token-calls.ts';
import type { Tokens, TokenStorage } from './tokens.ts';

export { RecentSignInRequired, SignedOut };

/** Settings of a session. */
export interface SessionOptions extends TokenCallOptions {
  readonly storage: TokenStorage;
}

/** A code to exchange for tokens. */
export interface CodeExchange {
  readonly code: string;
  readonly redirectUri: string;
  /** PKCE verifier, if the sign-in had a challenge. */
  readonly verifier?: string;
}

/** The tokens of one member on one device. */
export interface Session {
  /** The key that the tokens are bound to. */
  readonly deviceKey?: DeviceKey | undefined;
  /** The current tokens; undefined when nobody is signed in. */
  tokens(): Promise<Tokens | undefined>;
  /**
   * Exchanges a code of a sign-in or of POST /members, which is valid for 10 seconds. The sign-in that it replaces ends in the
   * background. Throws SignedOut when the code is refused; a previous sign-in then stays.
   */
  exchange(exchange: CodeExchange): Promise<Tokens>;
  /**
   * Replaces the tokens with this access token. Concurrent calls share one request; tokens that were replaced meanwhile are
   * returned as they are. Throws SignedOut when there are none or the sign-in has ended.
   */
  refresh(usedAccessToken: string): Promise<Tokens>;
  /** Ends the sign-in on the server and deletes the tokens, also when the server is down. */
  signOut(): Promise<void>;
  /** Calls the listener with new tokens, and with undefined when they are deleted. Returns the function that unsubscribes. */
  onChange(listener: (tokens: Tokens | undefined) => void): () => void;
}

/** Creates a session on a storage. */
export function createSession(options: SessionOptions): Session {
  const { storage } = options;
  const { post, tokensFrom } = createTokenCalls(options);
  const listeners = new Set<(tokens: Tokens | undefined) => void>();
  let refreshing: { readonly used: string; readonly tokens: Promise<Tokens> } | undefined;

  const store = async (tokens: Tokens | undefined) => {
    await storage.write(tokens);
    for (const listener of listeners) listener(tokens);
  };

  const revoke = async ({ refresh_token: token }: Tokens) => {
    await post('/revoke', { token }).catch(() => undefined);
  };

  const read = async (): Promise<Tokens> => {
    const tokens = await storage.read();
    if (!tokens) throw new SignedOut('nobody is signed in');
    return tokens;
  };

  const refreshNow = async (usedAccessToken: string): Promise<Tokens> => {
    /** Another call, page or process with the same storage refreshed first, or another member signed in. */
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
        await store(undefined);
        throw error;
      },
    );
    // A sign-out, or a sign-in of another member, during the request wins.
    if (!(await others())) await store(fresh);
    return fresh;
  };

  return {
    deviceKey: options.deviceKey,
    tokens: () => storage.read(),
    async exchange({ code, redirectUri, verifier }) {
      const tokens = await tokensFrom({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        ...(verifier !== undefined && { code_verifier: verifier }),
      });
      const replaced = await storage.read();
      await store(tokens);
      // Nobody can use it any more, but lists of sign-ins would show it.
      if (replaced) void revoke(replaced);
      return tokens;
    },
    refresh(used) {
      // A pending refresh may belong to an earlier sign-in of another member.
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
      await store(undefined);
      if (tokens) await revoke(tokens);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
