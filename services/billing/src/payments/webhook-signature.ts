import { createHmac, timingSafeEqual } from 'node:crypto';

const toleranceSeconds = 300;

const hmac = (secret: string, time: string, body: Buffer): Buffer =>
  createHmac('sha256', secret).update(`${time}.`).update(body).digest();

/** The signature header of a webhook: `t=<seconds>,v1=<hex HMAC-SHA256 of "<seconds>.<body>">`. */
export function signWebhook(secret: string, body: Buffer, at: Date): string {
  const time = String(Math.floor(at.getTime() / 1000));
  return `t=${time},v1=${hmac(secret, time, body).toString('hex')}`;
}

/** Whether the provider signed this body within the last five minutes; compared in constant time. */
export function isSigned(header: string | undefined, secret: string, body: Buffer, at: Date): boolean {
  const { time, sign } = /^t=(?<time>\d{1,12}),v1=(?<sign>[0-9a-f]{64})$/.exec(header ?? '')?.groups ?? {};
  if (time === undefined || sign === undefined) return false;
  const fresh = Math.abs(at.getTime() / 1000 - Number(time)) <= toleranceSeconds;
  return timingSafeEqual(Buffer.from(sign, 'hex'), hmac(secret, time, body)) && fresh;
}
