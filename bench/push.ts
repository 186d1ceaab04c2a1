import { newEvent } from '@covalence/events/new-event';
import { startApns } from '@covalence/fakes/apns';
import { testApps, writePushApps } from '@covalence/fakes/push-apps';
import { until } from '@covalence/testing/until';
import { effort } from './effort.ts';
import { say } from './engines.ts';
import { startLiveSystem } from './live-system.ts';
import { pacedTimes } from './load.ts';
import { measurement, median, p99, type Measurement } from './measurement.ts';
import { connectPublisher } from './publisher.ts';

const perSecond = 500;
const seconds = 2 * effort.seconds;
/** Longer than the slowest answer of a push service that works. */
const latencyMs = 50;
const limitMs = 1_000;

const tokenOf = (member: number) => member.toString(16).padStart(64, '0');

/** From an event to the request at Apple's push service, of members without a socket. */
export async function benchPush(): Promise<readonly Measurement[]> {
  const apns = await startApns();
  apns.slow(latencyMs);
  const apps = await writePushApps({ apns });
  const system = await startLiveSystem(
    apps.settings,
    (member) => `apns:${testApps.ios}/production/${tokenOf(member)}`,
  );
  const publisher = await connectPublisher(system.namespace);
  try {
    let first = 1;
    /** Sends an event to each of new members at a fixed rate; resolves with the ms until each notification arrived. */
    const round = async (): Promise<number[]> => {
      const from = first;
      const count = perSecond * seconds;
      first += count;
      const sent = new Map<number, number>();
      const times: number[] = [];
      for (let member = from; member < first; member += 1) apns.device(tokenOf(member));
      apns.listen(({ payload }) => {
        const { profileid } = payload['data'] as { profileid: number };
        times.push(performance.now() - (sent.get(profileid) ?? Number.NaN));
      });
      await pacedTimes(perSecond, seconds, async (index) => {
        const member = from + index;
        sent.set(member, performance.now());
        const facts = { type: 'pair.liked', member, version: 1, at: new Date() } as const;
        await publisher.publish(newEvent({ ...facts, data: { other: member } }));
      });
      await until('every notification', () => times.length >= count, 60_000);
      if (times.length !== count) throw new Error(`${times.length - count} notifications are doubled`);
      return times;
    };
    if (effort.warmUp) await round();
    const times = await round();
    say(`  event to push service p50 ${median(times).toFixed(1)} ms, p99 ${p99(times).toFixed(1)} ms`);
    return [measurement('event to push service, p99', 'ms', p99(times), limitMs, 'at most 1,000')];
  } finally {
    await publisher.close();
    await system.stop();
    apns.close();
    await apps.remove();
  }
}
