import { createConnection } from 'mongoose';
import { setTimeout as wait } from 'node:timers/promises';
import { timesOf, usageByPart } from '../call-costs.ts';
import { effort } from '../effort.ts';
import { say } from '../engines.ts';
import { rebuild } from '../search.ts';
import { fill, importPeople, type MemberDocument } from '../search-system.ts';
import { profileDatabase, startSystem, type System } from '../system.ts';
import { capacityCalls, type PhotoOwner } from './calls.ts';
import { ofParts, type Part } from './parts.ts';

/** Time for the effects of calls to finish: events, refreshes of the index. */
const settleMs = 2 * effort.settleMs;

/** Processor time that work and what it causes use in each part, ms, and the seconds that they took. */
export async function timed(system: System, work: () => Promise<unknown>) {
  const begun = performance.now();
  const times = await timesOf(system, async () => {
    await work();
    await wait(settleMs);
  });
  return { ms: ofParts((part) => times.get(part) ?? 0), seconds: (performance.now() - begun) / 1_000 };
}

/** The same without what is used while nobody calls. */
export async function timedAbove(
  idle: Readonly<Record<Part, number>>,
  system: System,
  work: () => Promise<unknown>,
) {
  const { ms, seconds } = await timed(system, work);
  return ofParts((part) => Math.max(0, ms[part] - idle[part] * seconds * 1_000));
}

/** Cores that each part uses while nobody calls. */
export async function idleCores(system: System): Promise<Readonly<Record<Part, number>>> {
  await wait(settleMs);
  const times = await timesOf(system, () => wait(effort.idleSeconds * 1_000));
  return ofParts((part) => (times.get(part) ?? 0) / effort.idleSeconds / 1_000);
}

/** Resident memory of each part, bytes. */
export function memoryByPart(system: System): Readonly<Record<Part, number>> {
  const used = usageByPart(system);
  return ofParts((part) => used.get(part)?.bytes ?? 0);
}

/** Every service, with couples who call, and their calls. */
export async function startCapacitySystem() {
  const system = await startSystem(2 * effort.couples, ['search', 'billing', 'updates', 'gateway']);
  const { url, name } = profileDatabase(system);
  const connection = await createConnection(url).asPromise();
  const client = connection.getClient();
  const members = client.db(name).collection<MemberDocument>('members');
  const owners = client.db(name).collection<PhotoOwner>('members');
  const feeds = client.db(`${system.namespace}-search`).collection<{ _id: number }>('feeds');
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
    async stop() {
      await connection.close();
      await system.stop();
    },
  };
}
