import { certificate, certificateKey } from '@covalence/testing/push-certificate';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import {
  createSecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { buffer } from 'node:stream/consumers';
import { listenLocally } from '@covalence/testing/listen-locally';
import { createFakeDevice, type FakeDevice } from './fake-device.ts';

/** The documented reasons of Apple's service with their statuses. */
const apnsReasons = {
  BadCollapseId: 400,
  BadDeviceToken: 400,
  BadExpirationDate: 400,
  BadMessageId: 400,
  BadPriority: 400,
  BadTopic: 400,
  DeviceTokenNotForTopic: 400,
  DuplicateHeaders: 400,
  IdleTimeout: 400,
  InvalidPushType: 400,
  MissingDeviceToken: 400,
  MissingTopic: 400,
  PayloadEmpty: 400,
  TopicDisallowed: 400,
  BadCertificate: 403,
  BadCertificateEnvironment: 403,
  ExpiredProviderToken: 403,
  Forbidden: 403,
  InvalidProviderToken: 403,
  MissingProviderToken: 403,
  UnrelatedKeyIdInToken: 403,
  BadPath: 404,
  MethodNotAllowed: 405,
  ExpiredToken: 410,
  Unregistered: 410,
  PayloadTooLarge: 413,
  TooManyProviderTokenUpdates: 429,
  TooManyRequests: 429,
  InternalServerError: 500,
  ServiceUnavailable: 503,
  Shutdown: 503,
} as const;

/** A documented reason. */
export type ApnsReason = keyof typeof apnsReasons;

/** An answer other than success; Unregistered has the time since which the device is gone. `hang` never answers. */
export type ApnsAnswer =
  | 'ok'
  | 'hang'
  | ApnsReason
  | { readonly reason: ApnsReason; readonly timestamp: number };

/** A notification that reached a device. */
export interface ApnsNotification {
  readonly headers: IncomingHttpHeaders;
  readonly payload: Readonly<Record<string, unknown>> & { readonly aps: Readonly<Record<string, unknown>> };
}

/** A device of the fake. */
export type ApnsDevice = FakeDevice<ApnsNotification, ApnsAnswer>;

const longestPayload = 4_096;
const tokenLifeSeconds = 3_600;

/** Apple's answer to a request, byte for byte: nothing, or a JSON object without spaces. */
const bodyOf = (answer: Exclude<ApnsAnswer, 'ok' | 'hang'>): string =>
  JSON.stringify(typeof answer === 'string' ? { reason: answer } : answer);

const reasonOf = (answer: Exclude<ApnsAnswer, 'ok' | 'hang'>): ApnsReason =>
  typeof answer === 'string' ? answer : answer.reason;

/** The problem with the headers of a notification, if any. */
function wrongHeader(headers: IncomingHttpHeaders, topics: ReadonlySet<string>): ApnsReason | undefined {
  const text = (name: string) => {
    const value = headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  const topic = text('apns-topic');
  if (topic === undefined) return 'MissingTopic';
  if (!topics.has(topic)) return 'TopicDisallowed';
  if (!['alert', 'background'].includes(text('apns-push-type') ?? 'alert')) return 'InvalidPushType';
  if (!['1', '5', '10'].includes(text('apns-priority') ?? '10')) return 'BadPriority';
  if (Buffer.byteLength(text('apns-collapse-id') ?? '') > 64) return 'BadCollapseId';
  if (!/^\d+$/.test(text('apns-expiration') ?? '0')) return 'BadExpirationDate';
  return undefined;
}

/** Starts Apple's push service on https://127.0.0.1, with one team, one key and one app. */
export async function startApns({ now = Date.now, topic = 'example.heartland' } = {}) {
  const teamId = 'TEAM123456';
  const keyId = 'KEY1234567';
  const pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const topics = new Set([topic]);
  const devices = new Map<string, (headers: IncomingHttpHeaders, payload: Buffer) => ApnsAnswer>();
  const sessions = new Set<ServerHttp2Session>();
  const providerTokens = new Set<string>();
  const refusedTokens = new Set<string>();
  let everyAnswer: ApnsAnswer | undefined;
  let connections = 0;
  let requests = 0;
  let latencyMs = 0;
  let isAway = false;
  let onReceived: ((notification: ApnsNotification) => void) | undefined;

  const wrongProvider = async (authorization = ''): Promise<ApnsReason | undefined> => {
    const [, token] = /^bearer (\S+)$/i.exec(authorization) ?? [];
    if (token === undefined) return 'MissingProviderToken';
    providerTokens.add(token);
    if (refusedTokens.has(token)) return 'ExpiredProviderToken';
    try {
      if (decodeProtectedHeader(token).kid !== keyId) return 'InvalidProviderToken';
      const { payload } = await jwtVerify(token, pair.publicKey, {
        issuer: teamId,
        algorithms: ['ES256'],
        currentDate: new Date(now()),
      });
      const age = now() / 1_000 - (payload.iat ?? 0);
      return age > tokenLifeSeconds || age < -60 ? 'ExpiredProviderToken' : undefined;
    } catch {
      return 'InvalidProviderToken';
    }
  };

  const answerTo = async (headers: IncomingHttpHeaders, payload: Buffer): Promise<ApnsAnswer> => {
    if (everyAnswer !== undefined) return everyAnswer;
    if (headers[':method'] !== 'POST') return 'MethodNotAllowed';
    const [, token] = /^\/3\/device\/([^/]*)$/.exec(headers[':path'] ?? '') ?? [];
    if (token === undefined) return 'BadPath';
    if (!token) return 'MissingDeviceToken';
    const wrong = (await wrongProvider(headers.authorization)) ?? wrongHeader(headers, topics);
    if (wrong) return wrong;
    if (!payload.length) return 'PayloadEmpty';
    if (payload.length > longestPayload) return 'PayloadTooLarge';
    return devices.get(token)?.(headers, payload) ?? 'BadDeviceToken';
  };

  const serve = async (stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> => {
    requests += 1;
    const answer = await answerTo(headers, await buffer(stream));
    if (answer === 'hang') return;
    if (latencyMs) await new Promise((resolve) => setTimeout(resolve, latencyMs));
    if (stream.destroyed) return;
    const id = headers['apns-id'] ?? randomUUID().toUpperCase();
    if (answer === 'ok') {
      stream.respond({ ':status': 200, 'apns-id': id }, { endStream: true });
      return;
    }
    stream.respond({
      ':status': apnsReasons[reasonOf(answer)],
      'apns-id': id,
      'content-type': 'application/json',
    });
    stream.end(bodyOf(answer));
  };

  const server = createSecureServer({
    cert: certificate,
    key: certificateKey,
    settings: { maxConcurrentStreams: 1_000 },
  });
  server.on('session', (session) => {
    if (isAway) {
      session.on('error', () => undefined);
      session.destroy();
      return;
    }
    connections += 1;
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    session.on('error', () => undefined);
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    serve(stream, headers).catch(() => stream.destroy());
  });
  const port = await listenLocally(server);
  const hangUp = () => {
    for (const session of sessions) session.destroy();
  };

  return {
    url: `https://127.0.0.1:${port}`,
    /** The entries of the app in the list of apps, without id and sites. */
    app: { platform: 'ios', bundle_id: topic, team_id: teamId, key_id: keyId } as const,
    /** The team's private key, as the .p8 file that Apple gives. */
    keyFile: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    /** Installs the app on a device. */
    device(token = randomBytes(32).toString('hex')): ApnsDevice {
      const { device, take } = createFakeDevice<ApnsNotification, ApnsAnswer>(
        token,
        ({ headers }) => String(headers['apns-collapse-id'] ?? randomUUID()),
        (notification) => onReceived?.(notification),
      );
      devices.set(token, (headers, body) =>
        take(() => ({ headers, payload: JSON.parse(body.toString('utf8')) as ApnsNotification['payload'] })),
      );
      return device;
    },
    /** Answers every request so; undefined ends it. */
    answerAll: (answer: ApnsAnswer | undefined) => void (everyAnswer = answer),
    /** Refuses the tokens that providers have used so far as expired. */
    expireProviderTokens(): void {
      for (const token of providerTokens) refusedTokens.add(token);
    },
    /** Calls a listener with each notification that reaches a device. */
    listen: (listener: (notification: ApnsNotification) => void) => void (onReceived = listener),
    providerTokens: (): number => providerTokens.size,
    connections: (): number => connections,
    requests: (): number => requests,
    /** Delays every answer. */
    slow: (ms: number) => void (latencyMs = ms),
    /** Says GOAWAY on every connection, and finishes the requests in flight. */
    goAway(): void {
      for (const session of sessions) session.close();
    },
    /** Ends every connection without a word. */
    hangUp,
    /** Ends every connection, and refuses new ones until it is back. */
    away(from: boolean): void {
      isAway = from;
      if (from) hangUp();
    },
    close(): void {
      hangUp();
      server.close();
    },
  };
}
