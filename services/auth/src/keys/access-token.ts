import { SignJWT } from 'jose';
import { v7 } from 'uuid';
import type { KeyContext } from './key-ring.ts';

/** Signs an access token for `subject` that no client application asked for. `lifetime` is in seconds. */
export async function signAccessToken(
  {
    subject,
    lifetime,
    ...claims
  }: { readonly subject: string; readonly lifetime: number } & Readonly<Record<string, unknown>>,
  { keys, issuer, audience, clock }: KeyContext,
): Promise<string> {
  const iat = Math.floor(clock().getTime() / 1000);
  const { signing } = await keys.ring.current();
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: signing.kid })
    .setSubject(subject)
    .setIssuer(issuer)
    .setAudience(audience)
    .setJti(v7())
    .setIssuedAt(iat)
    .setExpirationTime(iat + lifetime)
    .sign(signing.privateKey);
}
