/** The tokens of a sign-in and until when the access token is good, by this device's clock. */
export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  /** Milliseconds since the epoch. */
  readonly expires_at: number;
}

/** The member whom an access token speaks for; undefined where it cannot be read. */
function memberOf(accessToken: string): unknown {
  const [, claims = ''] = accessToken.split('.');
  try {
    const { sub } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as { sub?: unknown };
    return sub;
  } catch {
    return undefined;
  }
}

/** Whether two access tokens may be one member's: what was said in the name of one must not be sent with another's. */
export const mayBeOneMember = (one: string, other: string): boolean => {
  const [member, second] = [memberOf(one), memberOf(other)];
  return member === undefined || second === undefined || member === second;
};

/** Where an app keeps its tokens: the keychain of a phone, a server's session. What is kept must survive a restart. */
export interface TokenStorage {
  /** The tokens, or undefined where nobody is signed in. */
  read(): Promise<Tokens | undefined>;
  /** Keeps tokens, or forgets them. */
  write(tokens: Tokens | undefined): Promise<void>;
}

/** Keeps tokens for as long as the process or page lives. */
export function memoryStorage(tokens?: Tokens): TokenStorage {
  let kept = tokens;
  return {
    read: () => Promise.resolve(kept),
    write: (next) => {
      kept = next;
      return Promise.resolve();
    },
  };
}
