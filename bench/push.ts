import { newEvent } from '@covalence/events/new-event';
import { startApns } from '@covalence/fakes/apns';
import { startFcm } from '@covalence/fakes/fcm';
import { testApps, writePushApps } from '@covalence/fakes/push-apps';
import { until } from '@covalence/testing/until';
import { setTimeout as wait } from 'node:timers/promises';
import { effort } from './effort.ts';
import { say } from './engines.ts';
import { startLiveSystem, type LiveSystem } from './live-system.ts';
import { pacedTimes } from './load.ts';
import { measurement, median, p99, type Measurement } from './measurement.ts';
import { connectPublisher } from './publisher.ts';

const perSecond = 500;
const seconds = 2 * effort.seconds;
/** Longer than the slowest answer of a push service that works. */
const latencyMs = 50;
const limitMs = 1_000;
/** A pause of the circuit, the claims of a killed process, and a second of sending for each of an outage. */
const catchUpLimitMs = 180_000 + 1_000 * effort.outage;

type Apns = Awaited<ReturnType<typeof startApns>>;
type Fcm = Awaited<ReturnType<typeof startFcm>>;

/** Members with odd numbers have an iPhone, the others an Android phone. */
const isIos = (member: number): boolean => member % 2 === 1;

const tokenOf = (member: number): string =>
  isIos(member) ? member.toString(16).padStart(64, '0') : `bench:APA91b${member}`;

const endpointOf = (member: number): string =>
  isIos(member)
    ? `apns:${testApps.ios}/production/${tokenOf(member)}`
    : `fcm:${testApps.android}/production/${tokenOf(member)}`;

/** Creates the phones of new members, and sends each member an event at a fixed rate. */
function sender(apns: Apns, fcm: Fcm, publish: (member: number) => Promise<void>) {
  let first = 1;
  return (forSeconds: number) => {
    const from = first;
    first += perSecond * forSeconds;
    const phones = Array.from({ length: perSecond * forSeconds }, (_one, index) => {
      const member = from + index;
      return { member, phone: (isIos(member) ? apns : fcm).device(tokenOf(member)) };
    });
    return { phones, sent: pacedTimes(perSecond, forSeconds, (index) => publish(from + index)) };
  };
}

type Send = ReturnType<typeof sender>;

/** The ms from each event to the request at Apple's push service, of members without a socket. */
async function pushTimes(send: Send, apns: Apns, sentAt: ReadonlyMap<number, number>): Promise<number[]> {
  const times: number[] = [];
  apns.listen(({ payload }) => {
    const { profileid } = payload['data'] as { profileid: number };
    times.push(performance.now() - (sentAt.get(profileid) ?? Number.NaN));
  });
  const { phones, sent } = send(seconds);
  await sent;
  await until('every notification', () => phones.every(({ phone }) => phone.received.length), 60_000);
  const repeated = phones.filter(({ phone }) => phone.received.length > 1).length;
  if (repeated) throw new Error(`${repeated} notifications are doubled`);
  apns.listen(() => undefined);
  return times;
}

/**
 * Takes both push services away while events come, and ends updates by SIGKILL once during that time and once while it catches up.
 * Resolves with the ms from the end of the outage until every phone shows its notification, once, and how many were sent again.
 */
async function outage(system: LiveSystem, send: Send, apns: Apns, fcm: Fcm) {
  apns.away(true);
  fcm.answerAll('UNAVAILABLE');
  const { phones, sent } = send(effort.outage);
  await wait(500 * effort.outage);
  await system.killAndRestart();
  await sent;
  const waiting = new Set(phones);
  const isOver = () => {
    for (const one of waiting) if (one.phone.shown.size) waiting.delete(one);
    return waiting.size === 0;
  };
  apns.away(false);
  fcm.answerAll(undefined);
  const back = performance.now();
  await until('some notifications', () => isOver() || waiting.size < phones.length * 0.9, catchUpLimitMs);
  await system.killAndRestart();
  await until('every notification', isOver, catchUpLimitMs);
  const caughtUp = performance.now() - back;
  if (phones.some(({ phone }) => phone.shown.size > 1)) throw new Error('a phone shows an event twice');
  return { caughtUp, repeated: phones.filter(({ phone }) => phone.received.length > 1).length };
}

/** Push messages to phones, while the push services work and after they were away. */
export async function benchPush(): Promise<readonly Measurement[]> {
  const [apns, fcm] = await Promise.all([startApns(), startFcm()]);
  apns.slow(latencyMs);
  const apps = await writePushApps({ apns, fcm });
  const system = await startLiveSystem(apps.settings, endpointOf);
  const publisher = await connectPublisher(system.namespace);
  const sentAt = new Map<number, number>();
  const send = sender(apns, fcm, (member) => {
    sentAt.set(member, performance.now());
    const facts = { type: 'pair.liked', member, version: 1, at: new Date() } as const;
    return publisher.publish(newEvent({ ...facts, data: { other: member } }));
  });
  try {
    if (effort.warmUp) await pushTimes(send, apns, sentAt);
    const times = await pushTimes(send, apns, sentAt);
    say(`  event to push service p50 ${median(times).toFixed(1)} ms, p99 ${p99(times).toFixed(1)} ms`);
    const { caughtUp, repeated } = await outage(system, send, apns, fcm);
    say(`  after the outage: ${repeated} of ${perSecond * effort.outage} notifications sent again`);
    return [
      measurement('event to push service, p99', 'ms', p99(times), limitMs, 'at most 1,000'),
      measurement('everything sent after an outage, × its length', 's', caughtUp / 1_000, effort.outage),
    ];
  } finally {
    await publisher.close();
    await system.stop();
    apns.close();
    fcm.close();
    await apps.remove();
  }
}
