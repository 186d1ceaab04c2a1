import { chunks } from '@covalence/runtime/chunks';
import { importSeeded } from '@covalence/seed/import-members';
import { generatePopulation } from '@covalence/seed/population/population';
import { hash } from '@node-rs/argon2';
import type { RelevanceSettings } from '@covalence/search/relevance/relevance-settings';
import { noContent } from '@covalence/search/settings/search-settings';
import { createSettingsStore } from '@covalence/search/settings/settings-store';
import type { mongo } from 'mongoose';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { effort } from './effort.ts';
import { register, startSystem, type BenchMember, type System } from './system.ts';

/** A stored member, as far as the benchmark uses it. */
export interface MemberDocument {
  readonly _id: number;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly [name: string]: unknown;
}

interface PairDocument {
  readonly _id: string;
  readonly [name: string]: unknown;
}

/** A system with a large population. */
export type SearchSystem = Awaited<ReturnType<typeof startSearchSystem>>;

/** The first id of variants, and the first number of registered searchers: beyond those that the services assign. */
const firstId = 10_000_000;
const firstSearcher = 1_000_001;

/** Longer than the service takes to follow published settings, and to store what waits to be recorded. */
const settingsMs = 3_000;

/** Latitude and longitude of cities of the United States. */
const cities = [
  [40.81, -96.68],
  [41.26, -95.94],
  [41.88, -87.63],
  [40.71, -74.01],
  [34.05, -118.24],
  [29.76, -95.37],
  [39.74, -104.99],
  [47.61, -122.33],
] as const;

/** A place in or near one of the cities. */
export function placeOf(number: number) {
  const [lat, lon] = cities[number % cities.length] ?? cities[0];
  const step = (number * 2_654_435_761) % 1_000;
  return {
    latitude: lat + (step - 500) / 1_000,
    longitude: lon + (((step * 37) % 1_000) - 500) / 1_000,
  };
}

/** One of the existing members, and another whose answers its variant of a number gets. */
export const mixedOf = <Each>(all: readonly Each[], number: number) =>
  [all[number % all.length], all[(number * 7919 + 13) % all.length]] as const;

const mixedFields = ['smoking', 'drinking', 'religion', 'education', 'height', 'date_of_birth'];

/** A deterministic variant of a generated member: another position, and some fields of another member. */
function variant(documents: readonly MemberDocument[], number: number): MemberDocument {
  const [one, other] = mixedOf(documents, number);
  if (!one || !other) throw new Error('no members to vary');
  const mixed = Object.entries(other.fields).filter(([name]) => mixedFields.includes(name));
  return {
    ...one,
    _id: firstId + number,
    member_id: randomUUID(),
    version: Date.now(),
    // The numbers of photos are unique.
    photos: [],
    fields: { ...one.fields, ...placeOf(number), ...Object.fromEntries(mixed) },
  };
}

/** Inserts variants of the existing members with numbers from `from`; resolves with their ids. */
export async function fill(
  members: mongo.Collection<MemberDocument>,
  count: number,
  say: (line: string) => void,
  from = 0,
): Promise<number[]> {
  // Copied outboxes would send an event for each variant.
  const projection = { outbox: 0, outboxAt: 0 };
  const documents = await members.find({ _id: { $lt: firstId } }, { projection }).toArray();
  const ids: number[] = [];
  for (const numbers of chunks(Array(count).keys(), 1_000)) {
    const batch = numbers.map((number) => variant(documents, from + number));
    await members.insertMany(batch, { ordered: false });
    ids.push(...batch.map(({ _id }) => _id));
    if (ids.length % 20_000 === 0) say(`search: ${ids.length} members`);
  }
  return ids;
}

/** Imports the members whom variants vary. */
export async function importPeople({ peerOf }: Pick<System, 'peerOf'>): Promise<void> {
  const people = generatePopulation({ count: effort.drawn, seed: 1, now: new Date() });
  const passwordHash = await hash('violet-harbour-42');
  for (const some of chunks(people, 100)) {
    await importSeeded(peerOf('profile'), some, passwordHash, () => undefined);
  }
}

/** Starts search, its peers and the gateway with so many members. */
export async function startSearchSystem(count: number, say: (line: string) => void) {
  const system = await startSystem(0, ['search', 'gateway']);
  const url = system.urlOf('gateway');
  try {
    await importPeople(system);
    const database = system.databaseOf('profile');
    const members = database.collection<MemberDocument>('members');
    const ofSearch = system.databaseOf('search');
    const settings = createSettingsStore(system.connection.useDb(ofSearch.databaseName));
    let number = firstSearcher;
    return {
      /** Address of the gateway. */
      url,
      namespace: system.namespace,
      processes: system.processes,
      peerOf: system.peerOf,
      /** Environment of the search service, for its commands. */
      environment: system.environmentOf('search'),
      members,
      /** Feeds of members, by their ids. */
      feeds: ofSearch.collection<{ _id: number }>('feeds'),
      /** Searches that were recorded. */
      countRecorded: () => ofSearch.collection('usage_searches').countDocuments(),
      /** Puts relevance settings in force; null for those of the file. */
      async publish(relevance: RelevanceSettings | null): Promise<void> {
        const version = (await settings.newest()) + 1;
        const entry = { version, at: new Date(), note: '', of: null, by: null };
        await settings.add({ ...entry, content: { ...noContent, relevance } });
        await wait(settingsMs);
      },
      pairs: database.collection<PairDocument>('pairs'),
      /** Ids of the searchable members. */
      ids: await fill(members, count, say),
      /** Registers a woman in Lincoln who looks for men. */
      async register(): Promise<BenchMember> {
        const member = await register({ profile: url, auth: url }, system.client, number);
        // The next odd number: another woman.
        number += 2;
        return member;
      },
      stop: () => system.stop(),
    };
  } catch (error) {
    await system.stop();
    throw error;
  }
}
