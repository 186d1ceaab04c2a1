import { updateSchema } from '@covalence/contract/live-updates';
import { redisKeys } from '@covalence/contract/redis-keys';
import { until } from '@covalence/testing/until';
import { expect } from '@jest/globals';
import { Redis } from 'ioredis';
import type { ServiceUnderTest } from '../harness.ts';
import type { TestMember } from './people.ts';

type Recipient = Pick<TestMember, 'id'>;

/** Types of the alerts to the devices of a member. */
export async function alertsTo(auth: ServiceUnderTest, { id }: Recipient): Promise<string[]> {
  await auth.context.afterResponse.drained();
  return auth.profile.alerts.filter((alert) => alert.id === id).map(({ alert }) => alert);
}

/** The frames that open sockets of a member get while something happens. */
export async function framesDuring(
  { context }: ServiceUnderTest,
  { id }: Recipient,
  work: () => Promise<unknown>,
) {
  const subscriber = new Redis(context.config.REDIS_URL);
  const sent: string[] = [];
  subscriber.on('message', (_channel: string, text: string) => sent.push(text));
  await until('a connection', () => subscriber.status === 'ready');
  await subscriber.subscribe(redisKeys.live(context.config.NAMESPACE, id));
  await work();
  await context.afterResponse.drained();
  // Its answer comes after every message.
  await subscriber.ping();
  subscriber.disconnect();
  return sent.flatMap((text) => {
    const [, payload] = /^p [0-9a-f]{8} (.*)$/.exec(text) ?? [];
    return payload ? [updateSchema.parse({ id: 'any', ...(JSON.parse(payload) as object) })] : [];
  });
}

/** The alerts to open sockets and devices of a member while something happens, except of sign-ins: type and data. */
export async function alertsDuring(
  auth: ServiceUnderTest,
  member: Recipient,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const { length } = await alertsTo(auth, member);
  const frames = await framesDuring(auth, member, work);
  const onDevices = (await alertsTo(auth, member)).slice(length);
  expect(onDevices.sort()).toEqual(frames.map(({ type }) => type).sort());
  return frames
    .filter(({ type }) => type !== 'session')
    .map(({ type, data }) => [type, ...Object.values(data)].join(' '));
}
