import { type ApnsDevice, type startApns } from '@covalence/fakes/apns';
import { testApps } from '@covalence/fakes/push-apps';
import type { Demo } from '@covalence/seed/demo';
import { as, registerMember } from '../../e2e/support/members.ts';

/** Apple's push service of the run. */
export type Apns = Awaited<ReturnType<typeof startApns>>;

/** A woman without sockets whose app takes push messages. */
export interface Sleeper {
  readonly id: number;
  readonly device: ApnsDevice;
  /** The ids of the accepted messages to her, oldest first. */
  readonly sent: string[];
}

/** Registers a sleeper and her device. */
export async function createSleeper(base: string, demo: Demo, apns: Apns): Promise<Sleeper> {
  const { id, tokens } = await registerMember(base, demo);
  const device = apns.device();
  const place = { platform: 'ios', app: testApps.ios, token: device.token, types: ['message'] };
  await as(base, { tokens }).post('/devices', place).expect(200);
  return { id, device, sent: [] };
}
