import { randomUUID } from 'node:crypto';
import { chunks } from '@covalence/runtime/chunks';
import { effort } from './effort.ts';
import { say } from './engines.ts';
import { measurement, median, p99, type Measurement } from './measurement.ts';
import { createStaff, post, startSystem, type System } from './system.ts';

/** Members of one write. */
const batch = 2_000;
/** Every so many entries are flagged, behind many that are not. */
const flaggedEvery = 1_000;
const firstId = 10_000_000;
const limitMs = 200;
const warmClaims = 40;

/** Variants of a registered member that wait for the review of their profiles. */
async function fillQueue(system: System, entries: number): Promise<void> {
  const members = system.databaseOf('profile').collection<{ _id: number }>('members');
  const model = await members.findOne({ _id: system.members[0]?.id ?? 0 });
  if (!model) throw new Error('no such member');
  const begin = Date.now() - entries * 1_000;
  for (const numbers of chunks(Array(entries).keys(), batch)) {
    const some = numbers.map((number) => {
      const isFlagged = number % flaggedEvery === flaggedEvery - 1;
      const waiting = { profile: new Date(begin + number * 1_000), ...(isFlagged && { flagged: true }) };
      const names = { member_id: randomUUID(), userstatus: 'new', waiting };
      return { ...model, _id: firstId + number, ...names, outbox: [] };
    });
    await members.insertMany(some, { ordered: false });
  }
}

/** Times of the next entry, ms, each followed by its decision. */
async function nextEntries(
  system: System,
  accessToken: string,
  filter: object,
  count: number = effort.claims,
) {
  const staff = { accessToken };
  const times: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const begun = performance.now();
    const claimed = await post(system, '/staff/queue/claim', staff, { kind: 'profile', ...filter });
    const { entry } = JSON.parse(claimed) as { entry: { id: number; revision: string } | null };
    times.push(performance.now() - begun);
    if (!entry) throw new Error('the queue is empty');
    await post(system, `/staff/members/${entry.id}/approve`, staff, { revision: entry.revision });
  }
  return times;
}

/** Measures how soon staff get the next entry of a long queue. */
export async function benchQueue(): Promise<readonly Measurement[]> {
  say('queue: starting gateway, auth and profile …');
  const system = await startSystem(1, ['gateway']);
  try {
    say(`queue: ${effort.entries} members that wait …`);
    await fillQueue(system, effort.entries);
    const token = await createStaff(system, 'grace', 'moderator');
    const figures: Measurement[] = [];
    if (effort.warmUp) await nextEntries(system, token, {}, warmClaims);
    for (const [what, filter] of [
      ['next entry', {}],
      ['next flagged entry', { flagged: true }],
    ] as const) {
      say(`queue: ${what} …`);
      const times = await nextEntries(system, token, filter);
      figures.push(
        measurement(`p50 of the ${what}`, 'ms', median(times), limitMs),
        measurement(`p99 of the ${what}`, 'ms', p99(times), limitMs, `at most ${limitMs}`),
      );
    }
    return figures;
  } finally {
    await system.stop();
  }
}
