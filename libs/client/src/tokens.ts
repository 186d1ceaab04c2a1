/** The tokens of a sign-in, and when the access token expires by this device's clock. */
export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  /** Milliseconds since the epoch. */
  readonly expires_at: number;
}

/** A claim of an access token; undefined when it cannot be read. */
export function claimOf(accessToken: string, name: 'sub' | 'exp' | 'roles'): unknown {
  const [, claims = ''] = accessToken.split('.');
  try {
    const all = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as Record<string, unknown>;
    return all[name];
  } catch {
    return undefined;
  }
}

/** Whether two access tokens may belong to one member: a call of one member must not be sent with another's token. */
export const mayBeOneMember = (one: string, other: string): boolean => {
  const [member, second] = [claimOf(one, 'sub'), claimOf(other, 'sub')];
  return member === undefined || second === undefined || member === second;
};

/** Storage of an app's tokens, such as the keychain of a phone or a server session. It must survive a restart. */
export interface TokenStorage {
  /** The tokens; undefined when nobody is signed in. */
  read(): Promise<Tokens | undefined>;
  /** Stores the tokens, or deletes them. */
  write(tokens: Tokens | undefined): Promise<void>;
}

/** Stores tokens in memory. */
export function memoryStorage(tokens?: Tokens): TokenStorage {
  let stored = tokens;
  return {
    read: () => Promise.resolve(stored),
    write: (next) => {
      stored = next;
      return Promise.resolve();
    },
  };
}

/** Stores tokens in the browser: for all tabs in `localStorage`, for one tab in `sessionStorage`. Bind them to a device key. */
export const browserStorage = (storage: Storage, name = 'covalence-tokens'): TokenStorage => ({
  read() {
    const text = storage.getItem(name);
    return Promise.resolve(text === null ? undefined : (JSON.parse(text) as Tokens));
  },
  write(tokens) {
    if (tokens) storage.setItem(name, JSON.stringify(tokens));
    else storage.removeItem(name);
    return Promise.resolve();
  },
});
