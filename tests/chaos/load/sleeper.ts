import { testApps } from '@covalence/fakes/push-apps';
import type { Demo } from '@covalence/seed/demo';
import { as, registerMember } from '../../e2e/support/members.ts';
import type { Outside } from '../outside.ts';

/** A woman without sockets whose apps, on a phone of each platform, take push messages. */
export interface Sleeper {
  readonly id: number;
  /** The ids of the messages that each of her phones was notified of, by platform. */
  readonly heard: Readonly<Record<'ios' | 'android', () => readonly string[]>>;
  /** The ids of the accepted messages to her, oldest first. */
  readonly sent: string[];
}

const idIn = (data: unknown) => String((data as Readonly<Record<string, unknown>>)['messageid']);

/** Registers a sleeper and her phones. */
export async function createSleeper(base: string, demo: Demo, { apns, fcm }: Outside): Promise<Sleeper> {
  const { id, tokens } = await registerMember(base, demo);
  const phones = { ios: apns.device(), android: fcm.device() };
  for (const platform of ['ios', 'android'] as const) {
    const { token } = phones[platform];
    const place = { platform, app: testApps[platform], token, types: ['message'] };
    await as(base, { tokens }).post('/devices', place).expect(200);
  }
  return {
    id,
    heard: {
      ios: () => phones.ios.received.map(({ payload }) => idIn(payload['data'])),
      android: () => phones.android.received.map(({ data }) => idIn(JSON.parse(data['data'] ?? '{}'))),
    },
    sent: [],
  };
}
