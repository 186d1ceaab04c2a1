import { generatePopulation } from '@covalence/seed/population/population';
import { importSeeded } from '@covalence/seed/import-members';
import { hash } from '@node-rs/argon2';
import mongoose, { type mongo } from 'mongoose';
import { randomUUID } from 'node:crypto';
import { effort } from './effort.ts';
import { register, startSystem } from './system.ts';

/** A member who searches. */
export interface Searcher {
  readonly id: number;
  readonly token: string;
}

/** A member as the profile service keeps them, as far as the bench looks at it. */
interface MemberDocument {
  readonly _id: number;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly [name: string]: unknown;
}

/** A pair by its key. */
interface PairDocument {
  readonly _id: string;
  readonly [name: string]: unknown;
}

/** A stack with a large population, and its stores. */
export interface SearchSystem {
  readonly url: string;
  readonly namespace: string;
  readonly engines: { readonly elasticsearch: string; readonly rabbitmq: string };
  /** Environment of the search service, for its tools. */
  readonly environment: Record<string, string | undefined>;
  readonly members: mongo.Collection<MemberDocument>;
  readonly pairs: mongo.Collection<PairDocument>;
  /** Ids of the members who can be found. */
  readonly ids: readonly number[];
  /** Registers a woman in Lincoln who looks for men. */
  register(): Promise<Searcher>;
  stop(): Promise<void>;
}

/** Members drawn as people; the others are these with places and traits of their own. */
const { drawn } = effort;

/** Numeric ids of the others begin behind every id that the service gives out here. */
const firstId = 10_000_000;

const batchSize = 1_000;

/** Cities of the United States that they live around: latitude and longitude. */
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

/** Traits that a member has of another one than the rest. */
const mixed = ['smoking', 'drinking', 'religion', 'education', 'height', 'date_of_birth'];

/** A member of a drawn one's making: an id, a place and some traits of another, all following from the number. */
function variant(documents: readonly MemberDocument[], number: number): MemberDocument {
  const one = documents[number % documents.length];
  const other = documents[(number * 7919 + 13) % documents.length];
  const [lat, lon] = cities[number % cities.length] ?? cities[0];
  if (!one || !other) throw new Error('nobody to make members of');
  const traits = Object.fromEntries(
    mixed.flatMap((name) => (name in other.fields ? [[name, other.fields[name]]] : [])),
  );
  const step = (number * 2_654_435_761) % 1_000;
  const place = {
    latitude: lat + (step - 500) / 1_000,
    longitude: lon + (((step * 37) % 1_000) - 500) / 1_000,
  };
  return {
    ...one,
    _id: firstId + number,
    member_id: randomUUID(),
    version: Date.now(),
    fields: { ...one.fields, ...place, ...traits },
  };
}

/** Fills the profile service's collection with members, some made by the service itself, the others of these. */
async function fill(
  members: mongo.Collection<MemberDocument>,
  count: number,
  say: (line: string) => void,
): Promise<number[]> {
  // Without the events that wait in them: the relay would send each as many times as there are variants.
  const documents = await members.find({}, { projection: { outbox: 0, outboxAt: 0 } }).toArray();
  const ids: number[] = [];
  for (let at = 0; at < count; at += batchSize) {
    const batch = Array.from({ length: Math.min(batchSize, count - at) }, (_, i) =>
      variant(documents, at + i),
    );
    for (const { _id } of batch) ids.push(_id);
    await members.insertMany(batch, { ordered: false });
    if ((at + batchSize) % 20_000 === 0) say(`search: ${at + batchSize} members`);
  }
  return ids;
}

/** Numbers of those who search, behind those of every other member of the system. */
const firstSearcher = 1_000_001;

/** Starts what a search needs, with so many members; the engines are those that the environment names, or its own. */
export async function startSearchSystem(count: number, say: (line: string) => void): Promise<SearchSystem> {
  const system = await startSystem(0, ['search', 'gateway']);
  const { namespace, engines, client, mongodb, profileDatabase } = system;
  const url = system.urlOf('gateway');
  const connection = mongoose.createConnection(mongodb);
  const stop = async () => {
    await connection.close();
    await system.stop();
  };
  try {
    await connection.asPromise();
    const people = [...generatePopulation({ count: drawn, seed: 1, now: new Date() })];
    const passwordHash = await hash('violet-harbour-42');
    for (let at = 0; at < drawn; at += 100) {
      await importSeeded(system.peerOf('profile'), people.slice(at, at + 100), passwordHash, () => undefined);
    }
    const database = connection.getClient().db(profileDatabase);
    const members = database.collection<MemberDocument>('members');
    const ids = await fill(members, count, say);
    let registered = 0;
    return {
      url,
      namespace,
      engines: { elasticsearch: engines['elasticsearch'] ?? '', rabbitmq: engines['rabbitmq'] ?? '' },
      environment: system.environmentOf('search'),
      members,
      pairs: database.collection<PairDocument>('pairs'),
      ids,
      async register() {
        const number = firstSearcher + 2 * registered;
        registered += 1;
        const { id, accessToken } = await register({ profile: url, auth: url }, client, number);
        return { id, token: accessToken };
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
