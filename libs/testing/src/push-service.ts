import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import { listenLocally } from './listen-locally.ts';
import { certificate, certificateKey } from './push-certificate.ts';

/** A push message that a device received, decrypted as its browser would. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly message: Readonly<Record<string, unknown>>;
  /** The claims of the VAPID token; its signature was verified with `vapidKey`. */
  readonly vapid: Readonly<Record<string, unknown>>;
  readonly vapidKey: string;
}

/** A browser subscription at the fake push service. */
export interface Device {
  readonly subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  readonly received: Received[];
  /** Number of requests, refused ones included. */
  readonly requests: () => number;
  /** Sets the next answers; then 201 again. `hang` never answers. */
  answer(...answers: Answer[]): void;
}

/** A status, optionally with Retry-After. */
type Answer = number | 'hang' | { readonly status: number; readonly retryAfter: string };

/** Decrypts a message after RFC 8291 and RFC 8188. */
function decrypt(body: Buffer, ecdh: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, 16);
  const idLength = body.readUInt8(20);
  const sender = body.subarray(21, 21 + idLength);
  const sealed = body.subarray(21 + idLength);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
  const secret = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(sender), auth, info, 32));
  const key = (use: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, Buffer.from(`Content-Encoding: ${use}\0`), length));
  const decipher = createDecipheriv('aes-128-gcm', key('aes128gcm', 16), key('nonce', 12));
  decipher.setAuthTag(sealed.subarray(-16));
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  const end = plain.lastIndexOf(2);
  return plain.subarray(0, end).toString('utf8');
}

/** Verifies the VAPID token of an Authorization header (RFC 8292); throws if it is invalid. */
function vapidOf(header = ''): Pick<Received, 'vapid' | 'vapidKey'> {
  const [, token = '', vapidKey = ''] = /^vapid t=([^,]+), ?k=(\S+)$/.exec(header) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(vapidKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' });
  const good = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!good) throw new Error('the VAPID token is not signed by its key');
  const vapid = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as Received['vapid'];
  return { vapid, vapidKey };
}

/** Starts a push service on https://127.0.0.1. */
export async function startPushService() {
  const devices = new Map<string, (headers: IncomingHttpHeaders, body: Buffer) => Answer>();
  const server = createServer({ cert: certificate, key: certificateKey }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const answer = devices.get(request.url ?? '')?.(request.headers, Buffer.concat(chunks)) ?? 404;
      if (answer === 'hang') return;
      const { status, retryAfter } =
        typeof answer === 'number' ? { status: answer, retryAfter: '0' } : answer;
      const headers = status === 301 ? { Location: '/moved' } : { 'Retry-After': retryAfter };
      response.writeHead(status, headers).end(status === 201 ? '' : 'x'.repeat(100));
    });
  });
  const port = await listenLocally(server);
  return {
    port,
    /** Subscribes a browser. */
    device({ host = '127.0.0.1' } = {}): Device {
      const path = `/push/${randomBytes(8).toString('hex')}`;
      const ecdh = createECDH('prime256v1');
      const p256dh = ecdh.generateKeys('base64url');
      const auth = randomBytes(16);
      const received: Received[] = [];
      const answers: Answer[] = [];
      let requests = 0;
      devices.set(path, (headers, body) => {
        requests += 1;
        const status = answers.shift() ?? 201;
        if (status === 201) {
          const message = JSON.parse(decrypt(body, ecdh, auth)) as Received['message'];
          received.push({ headers, message, ...vapidOf(headers.authorization) });
        }
        return status;
      });
      const endpoint = `https://${host}:${port}${path}`;
      return {
        subscription: { endpoint, keys: { p256dh, auth: auth.toString('base64url') } },
        received,
        requests: () => requests,
        answer: (...next) => void answers.push(...next),
      };
    },
    /** Closes pending requests. */
    hangUp: () => server.closeAllConnections(),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
