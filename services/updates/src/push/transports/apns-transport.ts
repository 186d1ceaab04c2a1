import { readAppAddress, type PushEnvironment } from '@covalence/contract/push-address';
import { jsonText } from '@covalence/runtime/json-text';
import { z } from 'zod';
import { apnsHeaders, apnsPayload } from './apns-payload.ts';
import { createApnsToken, type ApnsKey } from './apns-token.ts';
import { createAppTransport, postWithToken, type AppTransportOptions } from './app-transport.ts';
import { createHttp2Connection, type Http2Answer } from './http2-connection.ts';
import { retryAfterMs } from './retry-after.ts';
import {
  serviceFailure,
  type PushContent,
  type PushDevice,
  type PushResult,
  type Transport,
} from './transport.ts';

/** An app with its key at Apple. */
export interface ApnsApp extends ApnsKey {
  /** The app's bundle id. */
  readonly topic: string;
  readonly environments: readonly PushEnvironment[];
  /** The address of Apple's service by environment. */
  readonly origins: Readonly<Record<PushEnvironment, string>>;
}

/** Apple asks to repeat a request that it answered with 5xx no sooner. */
const serverErrorPauseMs = 15 * 60_000;

const answerText = jsonText.pipe(
  z.object({ reason: z.string().regex(/^\w{1,64}$/), timestamp: z.number().optional() }),
);

/** The device takes no messages of this app any more. */
const goneReasons = new Set(['BadDeviceToken', 'DeviceTokenNotForTopic', 'ExpiredToken', 'Unregistered']);
/** Reasons that every device has when the app's bundle id or environment is wrong. */
const settingReasons = new Set(['BadDeviceToken', 'DeviceTokenNotForTopic']);
/** Errors in the settings of the app, which concern every device. */
const appReasons = new Set(['BadTopic', 'MissingTopic', 'TopicDisallowed', 'TooManyProviderTokenUpdates']);

/** The result of Apple's response for the device, the message and the app. */
function resultOf(
  { status, retryAfter, body }: Http2Answer,
  { added_at }: PushDevice,
  now: number,
): PushResult {
  if (status === 200) return { outcome: 'sent' };
  const answer = answerText.safeParse(body).data;
  const { reason = `status ${status}`, timestamp } = answer ?? {};
  const afterMs = retryAfterMs(retryAfter, now);
  if (status >= 500) {
    const retry = { afterMs: Math.max(afterMs, serverErrorPauseMs) };
    return { outcome: 'failed', reason, retry, service: { afterMs } };
  }
  if (goneReasons.has(reason)) {
    // The device may have registered again since Apple saw that it was gone.
    const isRegisteredSince = timestamp !== undefined && Date.parse(added_at) > timestamp;
    if (isRegisteredSince) return { outcome: 'failed', reason, retry: { afterMs } };
    return { outcome: 'gone', reason, isOfSettings: settingReasons.has(reason) };
  }
  if (reason === 'IdleTimeout' || status === 403 || appReasons.has(reason))
    return serviceFailure(reason, afterMs);
  const mayPass = status === 429 || answer === undefined;
  return { outcome: 'failed', reason, ...(mayPass && { retry: { afterMs } }) };
}

/** Creates the transport of an app on Apple's devices: one connection for each environment. */
export function createApnsTransport(
  app: ApnsApp,
  { clock, timeoutMs = 10_000, ca }: AppTransportOptions,
): Transport {
  const token = createApnsToken(app, clock);
  const connections = new Map(
    app.environments.map((environment) => [
      environment,
      createHttp2Connection({ origin: app.origins[environment], timeoutMs, ca }),
    ]),
  );

  const attempt = async (
    device: PushDevice,
    content: PushContent,
    signal: AbortSignal,
  ): Promise<PushResult> => {
    const address = readAppAddress(device.endpoint);
    const connection = address && connections.get(address.environment);
    if (!connection) return { outcome: 'refused', reason: 'environment not configured' };
    return postWithToken(token, async (bearer) => {
      const answer = await connection.post(
        {
          path: `/3/device/${address.token}`,
          headers: { ...apnsHeaders(content, app.topic), authorization: `bearer ${bearer}` },
          body: apnsPayload(content, device),
        },
        signal,
      );
      const result = resultOf(answer, device, clock().getTime());
      return { result, isTokenRefused: result.reason === 'ExpiredProviderToken' };
    });
  };

  return createAppTransport(attempt, () => {
    for (const connection of connections.values()) connection.close();
  });
}
