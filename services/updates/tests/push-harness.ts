import { startApns, type ApnsDevice } from '@covalence/fakes/apns';
import { startFcm, type FcmDevice } from '@covalence/fakes/fcm';
import { testApps, writePushApps } from '@covalence/fakes/push-apps';
import { createLogger } from '@covalence/runtime/logger';
import { certificate } from '@covalence/testing/push-certificate';
import { testNamespace } from '@covalence/testing/test-stores';
import { createTestTokens } from '@covalence/testing/test-tokens';
import { until } from '@covalence/testing/until';
import { createECDH } from 'node:crypto';
import request from 'supertest';
import { startFakeProfile } from './fake-profile.ts';
import type { Target } from '../src/push/push-target.ts';
import { startPublisher, startService, type ServiceUnderTest } from './harness.ts';

/** A process whose clock a test moves. */
export interface PushProcess extends ServiceUnderTest {
  readonly time: { ahead: number };
}

/** New keys for web push, as settings. */
export function createVapid() {
  const pair = createECDH('prime256v1');
  const VAPID_PUBLIC_KEY = pair.generateKeys('base64url');
  const hex = pair.getPrivateKey('hex').padStart(64, '0');
  const VAPID_PRIVATE_KEY = Buffer.from(hex, 'hex').toString('base64url');
  return { VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT: 'mailto:operator@site.test' };
}

/** The services of Apple and Google, profile and the broker of one suite, and processes on them. */
export async function startPushSystem(suite: string) {
  const namespace = testNamespace(suite);
  const time = { ahead: 0 };
  const clock = () => new Date(Date.now() + time.ahead);
  const [tokens, profile, apns, fcm, publisher] = await Promise.all([
    createTestTokens(),
    startFakeProfile(),
    startApns({ now: () => clock().getTime() }),
    startFcm(),
    startPublisher(namespace),
  ]);
  const apps = await writePushApps({ apns, fcm });
  /** The log of the processes, as lines of JSON. */
  const lines: string[] = [];
  const processes: ServiceUnderTest[] = [];
  let nextMember = 1;

  const start = async (environment: Readonly<Record<string, string>> = {}): Promise<PushProcess> => {
    const process = await startService(suite, {
      namespace,
      tokens,
      environment: { PROFILE_URL: profile.url, PUSH_APPS_FILE: apps.file, ...environment },
      overrides: {
        sending: { ca: certificate, pollMs: 50, timeoutMs: 1_000 },
        clock,
        logger: createLogger('updates', 'info', { write: (line) => void lines.push(line) }),
      },
    });
    processes.push(process);
    return Object.assign(process, { time });
  };

  const call = async (
    process: ServiceUnderTest,
    method: 'post' | 'delete',
    id: number,
    body: object,
    token = {},
  ) => {
    const agent = request(process.url);
    const authorization = await tokens.authorization({ id, ...token });
    return agent[method]('/devices').set('Authorization', authorization).send(body);
  };

  /** Registers a device of a new member. */
  const registered = async <Device extends ApnsDevice | FcmDevice>(
    process: ServiceUnderTest,
    device: Device,
    more: object = {},
  ) => {
    const id = (nextMember += 1);
    const isApple = /^[0-9a-f]+$/.test(device.token);
    const place = isApple
      ? { platform: 'ios', app: testApps.ios }
      : { platform: 'android', app: testApps.android };
    const { status } = await call(process, 'post', id, { ...place, token: device.token, ...more });
    if (status !== 200) throw new Error(`not registered: ${status}`);
    return { id, device };
  };

  return {
    namespace,
    tokens,
    profile,
    apns,
    fcm,
    publisher,
    apps,
    lines,
    time,
    member: () => (nextMember += 1),
    start,
    call,
    registered,
    onApple: (process: ServiceUnderTest, more: object = {}) => registered(process, apns.device(), more),
    onGoogle: (process: ServiceUnderTest, more: object = {}) => registered(process, fcm.device(), more),
    /** Changes what profile answers about a member, for example the member's choices. */
    change(id: number, choices: Partial<Target>): void {
      const target = profile.targets.get(id);
      if (target) profile.targets.set(id, { ...target, ...choices });
    },
    devicesOf: (id: number) => profile.targets.get(id)?.devices.length ?? 0,
    /** Waits until nothing is queued. */
    settled: (process: ServiceUnderTest) =>
      until('the queue is empty', async () => (await process.context.push?.queue.count()) === 0),
    async close(): Promise<void> {
      await publisher.close();
      await Promise.all(processes.map((process) => process.close()));
      apns.close();
      fcm.close();
      profile.close();
      await apps.remove();
    },
  };
}

/** A running system of push messages. */
export type PushSystem = Awaited<ReturnType<typeof startPushSystem>>;
