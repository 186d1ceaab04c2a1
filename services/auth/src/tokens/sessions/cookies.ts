import type { IncomingMessage } from 'node:http';

/**
 * Cookie names at a public address. With https, browsers reject cookies with these prefixes from another host or an
 * unencrypted connection (`__Host-`, for path `/`), or from an unencrypted connection (`__Secure-`).
 */
export function cookieNames(publicUrl: string) {
  const isSecure = publicUrl.startsWith('https:');
  const host = isSecure ? '__Host-' : '_';
  const path = isSecure ? '__Secure-' : '_';
  return {
    session: `${host}session`,
    interaction: `${path}interaction`,
    resume: `${path}interaction_resume`,
    /** The result of the form, for the resume step. */
    result: `${path}interaction_result`,
    /** The accounts that have signed in with the browser. */
    device: `${host}device`,
    /** Set once a passkey was offered after a sign-in. */
    offer: `${host}passkey_offer`,
  };
}

/** Options of a cookie at a public address; `seconds` is its lifetime. */
export const cookieOptions = (publicUrl: string, path: string, seconds: number) =>
  ({
    httpOnly: true,
    sameSite: 'lax',
    secure: publicUrl.startsWith('https:'),
    path,
    maxAge: seconds * 1000,
  }) as const;

/** The value of a cookie of a request. */
export const cookieOf = ({ headers }: Pick<IncomingMessage, 'headers'>, name: string): string | undefined =>
  headers.cookie
    ?.split('; ')
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.slice(name.length + 1);
