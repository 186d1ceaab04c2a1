import type { IncomingMessage } from 'node:http';

/** Names of the cookies that the authorization server sets. */
export interface CookieNames {
  /** The browser's session; path `/`. */
  readonly session: string;
  /** Which sign-in the browser is in; path of its form. */
  readonly interaction: string;
  /** The same, for the step after the form; path of that step. */
  readonly resume: string;
  /** What the submitted form came to; path of that step. */
  readonly result: string;
  /** The accounts that the browser signed in to before; path `/`. */
  readonly device: string;
}

/**
 * The names at a public address. At https their prefixes make browsers refuse cookies that another host or an unencrypted
 * connection plants (`__Host-`, for path `/`), or an unencrypted connection alone (`__Secure-`).
 */
export function cookieNames(publicUrl: string): CookieNames {
  const isSecure = publicUrl.startsWith('https:');
  const host = isSecure ? '__Host-' : '_';
  const path = isSecure ? '__Secure-' : '_';
  return {
    session: `${host}session`,
    interaction: `${path}interaction`,
    resume: `${path}interaction_resume`,
    result: `${path}interaction_result`,
    device: `${host}device`,
  };
}

/** Options of a cookie at a public address, for as many seconds. */
export const cookieOptions = (publicUrl: string, path: string, seconds: number) =>
  ({
    httpOnly: true,
    sameSite: 'lax',
    secure: publicUrl.startsWith('https:'),
    path,
    maxAge: seconds * 1000,
  }) as const;

/** The value of a request's cookie. */
export const cookieOf = ({ headers }: Pick<IncomingMessage, 'headers'>, name: string): string | undefined =>
  headers.cookie
    ?.split('; ')
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.slice(name.length + 1);
