import type { Response } from 'express';

/** The `fail` of an OAuth error: that of `invalid_grant` is `Invalid Grant`. */
export const failOf = (error: string): string =>
  error
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

/** An error of RFC 6749 that is found before the provider is asked. */
export interface OAuthError {
  readonly status: number;
  readonly error: string;
  readonly description: string;
}

/** Sends an OAuth error with the fields that every failure of the interface has. */
export function sendOAuthError(response: Response, { status, error, description }: OAuthError): void {
  response
    .status(status)
    .set({
      'Cache-Control': 'no-store',
      ...(status === 503 && { 'Retry-After': '2' }),
      ...(status === 401 && { 'WWW-Authenticate': 'Basic realm="covalence"' }),
    })
    .json({ error, error_description: description, fail: failOf(error) });
}
