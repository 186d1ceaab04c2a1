import { listenLocally } from '@covalence/testing/listen-locally';
import { certificate, certificateKey } from '@covalence/testing/push-certificate';
import { randomBytes } from 'node:crypto';
import {
  createSecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { text } from 'node:stream/consumers';
import { startGoogleTokens } from './google-token.ts';
import { createFakeDevice, type FakeDevice } from './fake-device.ts';

interface FcmError {
  readonly code: number;
  readonly message: string;
  readonly status: string;
  readonly details?: readonly object[];
}

const fcmError = (errorCode: string) => ({
  '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError',
  errorCode,
});

/** The documented errors of Firebase Cloud Messaging, as its servers send them. */
const fcmErrors = {
  UNREGISTERED: {
    code: 404,
    message: 'Requested entity was not found.',
    status: 'NOT_FOUND',
    details: [fcmError('UNREGISTERED')],
  },
  SENDER_ID_MISMATCH: {
    code: 403,
    message: 'SenderId mismatch',
    status: 'PERMISSION_DENIED',
    details: [fcmError('SENDER_ID_MISMATCH')],
  },
  INVALID_TOKEN: {
    code: 400,
    message: 'The registration token is not a valid FCM registration token',
    status: 'INVALID_ARGUMENT',
    details: [
      fcmError('INVALID_ARGUMENT'),
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        fieldViolations: [{ field: 'message.token', description: 'Invalid registration token' }],
      },
    ],
  },
  INVALID_MESSAGE: {
    code: 400,
    message: 'Invalid value at \'message.android.ttl\' (type.googleapis.com/google.protobuf.Duration), "x"',
    status: 'INVALID_ARGUMENT',
    details: [
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        fieldViolations: [{ field: 'message.android.ttl', description: 'Invalid value' }],
      },
    ],
  },
  UNAUTHENTICATED: {
    code: 401,
    message:
      'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.',
    status: 'UNAUTHENTICATED',
  },
  THIRD_PARTY_AUTH_ERROR: {
    code: 401,
    message: 'Auth error from APNS or Web Push Service',
    status: 'UNAUTHENTICATED',
    details: [fcmError('THIRD_PARTY_AUTH_ERROR')],
  },
  PERMISSION_DENIED: {
    code: 403,
    message: "Permission 'cloudmessaging.messages.create' denied on resource",
    status: 'PERMISSION_DENIED',
  },
  QUOTA_EXCEEDED: {
    code: 429,
    message: 'Message rate exceeded.',
    status: 'RESOURCE_EXHAUSTED',
    details: [fcmError('QUOTA_EXCEEDED')],
  },
  INTERNAL: {
    code: 500,
    message: 'Internal error encountered.',
    status: 'INTERNAL',
    details: [fcmError('INTERNAL')],
  },
  UNAVAILABLE: {
    code: 503,
    message: 'The service is currently unavailable.',
    status: 'UNAVAILABLE',
    details: [fcmError('UNAVAILABLE')],
  },
} as const satisfies Readonly<Record<string, FcmError>>;

/** An answer other than success. `hang` never answers. */
export type FcmAnswer =
  | 'ok'
  | 'hang'
  | keyof typeof fcmErrors
  | { readonly error: keyof typeof fcmErrors; readonly retryAfter: string };

/** A message that reached a device. */
export interface FcmMessage {
  readonly token: string;
  readonly notification: { readonly title: string; readonly body: string };
  readonly data: Readonly<Record<string, string>>;
  readonly android: Readonly<Record<string, unknown>> & {
    readonly notification: Readonly<Record<string, unknown>>;
  };
  readonly webpush?: Readonly<Record<'headers' | 'notification', Readonly<Record<string, string>>>>;
}

/** A device of the fake. */
export type FcmDevice = FakeDevice<FcmMessage, FcmAnswer>;

const messageFields = new Set(['token', 'notification', 'data', 'android', 'webpush']);

/** Whether a message is one by the documented form. */
function isMessage(value: unknown): value is FcmMessage {
  if (typeof value !== 'object' || value === null) return false;
  const message = value as Partial<FcmMessage>;
  const data = Object.values(message.data ?? {});
  const { ttl = '0s', priority = 'NORMAL' }: Readonly<Record<string, unknown>> = message.android ?? {};
  return (
    Object.keys(value).every((name) => messageFields.has(name)) &&
    data.every((one) => typeof one === 'string') &&
    /^\d+(\.\d+)?s$/.test(String(ttl)) &&
    ['NORMAL', 'HIGH'].includes(String(priority))
  );
}

/** Starts Firebase Cloud Messaging on https://127.0.0.1, with Google's token endpoint and one project. */
export async function startFcm() {
  const tokens = await startGoogleTokens({ scope: 'https://www.googleapis.com/auth/firebase.messaging' });
  const devices = new Map<string, (message: FcmMessage) => FcmAnswer>();
  const sessions = new Set<ServerHttp2Session>();
  let everyAnswer: FcmAnswer | undefined;
  let connections = 0;
  let requests = 0;

  const answerTo = (headers: IncomingHttpHeaders, body: string): FcmAnswer => {
    if (everyAnswer !== undefined) return everyAnswer;
    const [, bearer = ''] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? [];
    if (!tokens.isValid(bearer)) return 'UNAUTHENTICATED';
    if (headers[':path'] !== `/v1/projects/${tokens.projectId}/messages:send`) return 'PERMISSION_DENIED';
    const { message } = JSON.parse(body) as { message?: unknown };
    if (!isMessage(message)) return 'INVALID_MESSAGE';
    return devices.get(message.token)?.(message) ?? 'INVALID_TOKEN';
  };

  const serve = async (stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> => {
    requests += 1;
    const answer = answerTo(headers, await text(stream));
    if (answer === 'hang' || stream.destroyed) return;
    const type = { 'content-type': 'application/json; charset=UTF-8' };
    if (answer === 'ok') {
      const name = `projects/${tokens.projectId}/messages/0:${Date.now()}%${randomBytes(8).toString('hex')}`;
      stream.respond({ ':status': 200, ...type });
      stream.end(`${JSON.stringify({ name }, null, 2)}\n`);
      return;
    }
    const error = fcmErrors[typeof answer === 'string' ? answer : answer.error];
    const pause = typeof answer === 'string' ? {} : { 'retry-after': answer.retryAfter };
    stream.respond({ ':status': error.code, ...type, ...pause });
    stream.end(`${JSON.stringify({ error }, null, 2)}\n`);
  };

  const server = createSecureServer({ cert: certificate, key: certificateKey });
  server.on('session', (session) => {
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

  return {
    url: `https://127.0.0.1:${port}`,
    tokens,
    /** Installs the app on a device. */
    device(
      token = `${randomBytes(11).toString('hex')}:APA91b${randomBytes(48).toString('base64url')}`,
    ): FcmDevice {
      const { device, take } = createFakeDevice<FcmMessage, FcmAnswer>(token, ({ android }) =>
        String(android.notification['tag']),
      );
      devices.set(token, (message) => take(() => message));
      return device;
    },
    /** Answers every request so; undefined ends it. */
    answerAll: (answer: FcmAnswer | undefined) => void (everyAnswer = answer),
    connections: (): number => connections,
    requests: (): number => requests,
    close(): void {
      tokens.close();
      for (const session of sessions) session.destroy();
      server.close();
    },
  };
}
