import { createHmac, timingSafeEqual } from 'node:crypto';

const toleranceSeconds = 300;

/**
 * Whether the provider signed this body within the last five minutes, with the header
 * `t=<seconds>,v1=<hex HMAC-SHA256 of "<seconds>.<body>">`; compared in constant time.
 */
export function isSigned(header: string | undefined, secret: string, body: Buffer, at: Date): boolean {
  const { time, sign } = /^t=(?<time>\d{1,12}),v1=(?<sign>[0-9a-f]{64})$/.exec(header ?? '')?.groups ?? {};
  if (time === undefined || sign === undefined) return false;
  const fresh = Math.abs(at.getTime() / 1000 - Number(time)) <= toleranceSeconds;
  const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest();
  return timingSafeEqual(Buffer.from(sign, 'hex'), expected) && fresh;
}
