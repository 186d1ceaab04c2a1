import { setTimeout as wait } from 'node:timers/promises';
import { timesOf, usageByComponent } from '../call-costs.ts';
import { effort } from '../effort.ts';
import { say } from '../engines.ts';
import { rebuild } from '../search.ts';
import { fill, importPeople, type MemberDocument } from '../search-system.ts';
import { startSystem, type System } from '../system.ts';
import { capacityCalls, type PhotoOwner } from './calls.ts';
import { ofComponents, type Component } from './components.ts';

/** Time for the effects of calls to finish: events, refreshes of the index. */
const settleMs = 2 * effort.settleMs;

/** Processor time that work and what it causes use in each component, ms, and the seconds that they took. */
export async function timed(system: System, work: () => Promise<unknown>) {
  const begun = performance.now();
  const times = await timesOf(system, async () => {
    await work();
    await wait(settleMs);
  });
  return {
    ms: ofComponents((component) => times.get(component) ?? 0),
    seconds: (performance.now() - begun) / 1_000,
  };
}

/** The same without what is used while nobody calls. */
export async function timedAbove(
  idle: Readonly<Record<Component, number>>,
  system: System,
  work: () => Promise<unknown>,
) {
  const { ms, seconds } = await timed(system, work);
  return ofComponents((component) => Math.max(0, ms[component] - idle[component] * seconds * 1_000));
}

/** Cores that each component uses while nobody calls. */
export async function idleCores(system: System): Promise<Readonly<Record<Component, number>>> {
  await wait(settleMs);
  const times = await timesOf(system, () => wait(effort.idleSeconds * 1_000));
  return ofComponents((component) => (times.get(component) ?? 0) / effort.idleSeconds / 1_000);
}

/** Resident memory of each component, bytes. */
export function memoryByComponent(system: System): Readonly<Record<Component, number>> {
  const used = usageByComponent(system);
  return ofComponents((component) => used.get(component)?.bytes ?? 0);
}

/** Every service, with couples who call, and their calls. */
export async function startCapacitySystem() {
  const system = await startSystem(2 * effort.couples, ['search', 'billing', 'updates', 'gateway']);
  const members = system.databaseOf('profile').collection<MemberDocument>('members');
  const owners = system.databaseOf('profile').collection<PhotoOwner>('members');
  const feeds = system.databaseOf('search').collection<{ _id: number }>('feeds');
  let filled = 0;
  return {
    system,
    prepareCalls: () => capacityCalls(system, { owners, feeds }),
    importPeople: () => importPeople(system),
    /** Adds variants of members until there are so many, and indexes them. */
    async fillUpTo(count: number): Promise<void> {
      const there = await members.countDocuments();
      const missing = Math.max(0, count - there);
      await fill(members, missing, say, filled);
      filled += missing;
      await rebuild({ environment: system.environmentOf('search') });
    },
    stop: () => system.stop(),
  };
}
