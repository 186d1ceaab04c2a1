import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import { listenLocally } from './listen-locally.ts';
import { certificate, certificateKey } from './push-certificate.ts';

/** What a device was sent, decrypted as its browser would. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly message: Readonly<Record<string, unknown>>;
  /** The claims of the VAPID token, whose signature was good under the key beside it. */
  readonly vapid: Readonly<Record<string, unknown>>;
  readonly vapidKey: string;
}

/** A browser's subscription at the fake push service, and what came. */
export interface Device {
  readonly subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  readonly received: Received[];
  /** Requests so far, those that were refused too. */
  readonly requests: () => number;
  /** What the next requests are answered; 201 once the list is used up. `hang` never answers. */
  answer(...answers: Answer[]): void;
}

/** A status, or one with the value of its Retry-After. */
type Answer = number | 'hang' | { readonly status: number; readonly retryAfter: string };

/** RFC 8291 and RFC 8188 as the receiver does it, by the platform's own cryptography. */
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

/** RFC 8292: the token and the key of the Authorization header; throws where the signature is not good. */
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

/** Starts a push service on https://127.0.0.1, with a certificate of its own. */
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
    /** Ends the requests that are not answered. */
    hangUp: () => server.closeAllConnections(),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
