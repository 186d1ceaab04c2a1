import { readAppAddress } from '@covalence/contract/push-address';
import { jsonText } from '@covalence/runtime/json-text';
import { JWT } from 'google-auth-library';
import { z } from 'zod';
import {
  createAppTransport,
  postWithToken,
  type AppTransportOptions,
  type TokenSource,
} from './app-transport.ts';
import { createHttp2Connection, type Http2Answer } from './http2-connection.ts';
import type { PushedType } from '@covalence/contract/push-types';
import { retryAfterMs } from './retry-after.ts';
import {
  isUrgent,
  lifetimeMs,
  serviceFailure,
  type PushContent,
  type PushDevice,
  type PushResult,
  type Transport,
} from './transport.ts';

/** An app with its project at Google. */
export interface FcmApp {
  readonly projectId: string;
  /** The service account that may send. */
  readonly email: string;
  readonly privateKey: string;
  readonly keyId: string;
  /** The address of Google's service. */
  readonly origin: string;
  /** Replaces the address of Google's tokens in tests. */
  readonly tokenUrl?: string | undefined;
}

const scope = 'https://www.googleapis.com/auth/firebase.messaging';

/** Google asks for this pause where an answer names none. */
const quotaPauseMs = 60_000;
const serverErrorPauseMs = 10_000;

/** Google stores at most four collapsible kinds for a device; the others are rare, and each one counts. */
const collapsible: ReadonlySet<PushedType> = new Set(['message', 'like', 'mutual', 'view']);

/** The error of a token whose own push service refuses the project. */
const otherSystem = 'THIRD_PARTY_AUTH_ERROR';

const word = z.string().regex(/^\w{1,64}$/);
const detail = z.object({
  errorCode: word.optional(),
  fieldViolations: z.array(z.object({ field: z.string().optional() })).default([]),
});
const errorText = jsonText.pipe(
  z.object({ error: z.object({ status: word, details: z.array(detail).default([]) }) }),
);

/** The name of the error, and whether it is about the token. */
function readError(body: string): { reason?: string; isOfToken: boolean } {
  const error = errorText.safeParse(body).data?.error;
  if (!error) return { isOfToken: false };
  const { status, details } = error;
  const fields = details.flatMap(({ fieldViolations }) => fieldViolations);
  return {
    reason: details.find(({ errorCode }) => errorCode !== undefined)?.errorCode ?? status,
    isOfToken: fields.some(({ field }) => field === 'message.token'),
  };
}

/** The result of Google's response for the device, the message and the app. */
function resultOf({ status, retryAfter, body }: Http2Answer, now: number): PushResult {
  if (status === 200) return { outcome: 'sent' };
  const { reason = `status ${status}`, isOfToken } = readError(body);
  const isGone =
    reason === 'UNREGISTERED' ||
    reason === 'SENDER_ID_MISMATCH' ||
    (reason === 'INVALID_ARGUMENT' && isOfToken);
  // A service account of another project has this answer for every device.
  if (isGone) return { outcome: 'gone', reason, isOfSettings: reason === 'SENDER_ID_MISMATCH' };
  const requested = retryAfterMs(retryAfter, now);
  if (status === 429) {
    // The limit of the project, or of this device alone.
    const retry = { afterMs: requested || quotaPauseMs };
    return { outcome: 'failed', reason, retry, ...(requested > 0 && { service: { afterMs: 0 } }) };
  }
  if (status >= 500) {
    const retry = { afterMs: requested || serverErrorPauseMs };
    return { outcome: 'failed', reason, retry, service: { afterMs: requested } };
  }
  // The token is of an app on another system, which has no key at Google.
  if (reason === otherSystem) return { outcome: 'failed', reason, retry: { afterMs: 0 } };
  if (status === 401 || status === 403 || status === 404) return serviceFailure(reason);
  return { outcome: 'failed', reason };
}

/** The body of a request to send. */
function requestBody(
  content: PushContent,
  { capabilities = [] }: PushDevice,
  token: string,
  now: number,
): Buffer {
  const { type, title, body, lang, tag, at, data, unread } = content;
  const can = new Set(capabilities);
  const seconds = Math.max(0, Math.floor((Date.parse(at) + lifetimeMs - now) / 1_000));
  return Buffer.from(
    JSON.stringify({
      message: {
        token,
        notification: { title, body },
        data: { type, lang, tag, at, data: JSON.stringify(data) },
        android: {
          ...(collapsible.has(type) && { collapse_key: type }),
          priority: isUrgent(type) ? 'HIGH' : 'NORMAL',
          ttl: `${seconds}s`,
          notification: {
            // A later notification of a type replaces the one that the device shows, and a repeated one itself.
            tag: type,
            channel_id: type,
            visibility: 'PRIVATE',
            default_sound: can.has('sound'),
            ...(can.has('badge') && { notification_count: unread }),
          },
        },
        webpush: {
          headers: { TTL: String(seconds), Urgency: isUrgent(type) ? 'high' : 'normal', Topic: type },
          notification: { tag: type },
        },
      },
    }),
  );
}

/** Creates the source of access tokens of a service account. */
function createAccessToken({ email, privateKey, keyId, tokenUrl }: FcmApp): TokenSource {
  const create = () =>
    new JWT({
      email,
      key: privateKey,
      keyId,
      scopes: [scope],
      transporterOptions: {
        timeout: 5_000,
        // The library has one address for tokens.
        ...(tokenUrl !== undefined && {
          fetchImplementation: async (_url: unknown, init?: RequestInit) => fetch(tokenUrl, init),
        }),
      },
    });
  let client = create();
  let current: string | undefined;
  return {
    async get(refused) {
      if (refused !== undefined && refused === current) [client, current] = [create(), undefined];
      const { token } = await client.getAccessToken();
      if (!token) throw Object.assign(new Error('no access token'), { code: 'NO_ACCESS_TOKEN' });
      current = token;
      return token;
    },
  };
}

/** Creates the transport of an app with a project at Google: one connection. */
export function createFcmTransport(
  app: FcmApp,
  { clock, timeoutMs = 10_000, ca }: AppTransportOptions,
): Transport {
  const access = createAccessToken(app);
  const connection = createHttp2Connection({ origin: app.origin, timeoutMs, ca });
  const path = `/v1/projects/${app.projectId}/messages:send`;

  const attempt = async (
    device: PushDevice,
    content: PushContent,
    signal: AbortSignal,
  ): Promise<PushResult> => {
    const address = readAppAddress(device.endpoint);
    if (!address) return { outcome: 'refused', reason: 'not an app' };
    const now = clock().getTime();
    const body = requestBody(content, device, address.token, now);
    return postWithToken(access, async (token) => {
      const answer = await connection.post(
        { path, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' }, body },
        signal,
      );
      const result = resultOf(answer, now);
      return { result, isTokenRefused: answer.status === 401 && result.reason !== otherSystem };
    });
  };

  return createAppTransport(attempt, () => connection.close());
}
