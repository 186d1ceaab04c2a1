import { chunks } from '@covalence/runtime/chunks';
import { CommandError } from '@covalence/runtime/command-error';
import { majorityWrites } from '@covalence/runtime/mongo';
import { mongo, createConnection } from 'mongoose';
import type { backedUpServices } from './manifest.ts';

/** A service with a database. */
export type BackedUpService = (typeof backedUpServices)[number];

/** The databases of a system. */
export type Databases = Awaited<ReturnType<typeof openDatabases>>;

/** Collections that a backup leaves out: sign-ins and keys that must not live again, and locks. */
const leftOut: ReadonlySet<string> = new Set(['families', 'signing_keys', 'leases', 'restores']);

/** Collections that are read first or last of their service, so that who refers is read before what it refers to. */
const first = ['payments'];
const last = ['members'];
const storeOf = (name: string) => (first.includes(name) ? 0 : last.includes(name) ? 2 : 1);

/** The size of a file before it is compressed. */
const fileBytes = 16 * 1024 * 1024;
const documentsPerWrite = 1_000;

/** Documents as MongoDB stores them, one behind the other. */
interface Chunk {
  readonly bytes: Buffer;
  readonly documents: number;
}

/** The documents of a chunk, with the types of their numbers. */
function* documentsOf(bytes: Uint8Array): Generator<mongo.Document> {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < view.length; at += view.readInt32LE(at)) {
    const document = view.subarray(at, at + view.readInt32LE(at));
    yield mongo.BSON.deserialize(document, { promoteValues: false, bsonRegExp: true });
  }
}

/** Losses up to this number are normal in a small system. */
const few = 20;

/** Whether so much is gone that a loss is likelier than members who left. */
export const hasShrunk = (before: number, now: number): boolean => before - now > few && now < before * 0.8;

/** The same of documents that no system loses to the last one. */
export const isLost = (before: number, now: number): boolean =>
  (now === 0 && before > 0) || hasShrunk(before, now);

/** The progress of a restore, stored in the database that is restored. */
interface Progress {
  readonly _id: 'restore';
  readonly from: string;
  readonly done: readonly string[];
  readonly finished_at?: Date;
}

/** Throws while a restore is unfinished: what is stored then is neither the old nor the new state. */
export async function assertWhole({ progress }: Databases): Promise<void> {
  const found = await progress.findOne({ _id: 'restore' });
  if (found && !found.finished_at)
    throw new CommandError(`The restore of ${found.from} is not finished: repeat it first.`);
}

/** Throws while a service holds a lock, which it renews every few seconds. */
export async function assertReleased(
  { collection }: Databases,
  services: readonly BackedUpService[],
): Promise<void> {
  for (const service of services) {
    const held = await collection<{ _id: string; until: Date }>(service, 'leases').findOne({
      until: { $gt: new Date() },
    });
    if (held)
      throw new CommandError(
        `Stop every service first: ${service} holds a lock until ${held.until.toISOString()}.`,
      );
  }
}

/** Connects to the databases. */
export async function openDatabases(url: string, namespace: string) {
  const options = { ...majorityWrites, serverSelectionTimeoutMS: 10_000 };
  const connection = await createConnection(url, options).asPromise();
  const client = connection.getClient();
  const databaseOf = (service: BackedUpService) => client.db(`${namespace}-${service}`);
  const services: readonly BackedUpService[] = ['search', 'billing', 'auth', 'profile'];
  // Every server knows this name of `hello`.
  const { setName, msg } = await client.db('admin').command({ isMaster: 1 });
  const isSharded = msg === 'isdbgrid';

  const collections = async (service: BackedUpService): Promise<string[]> =>
    (await databaseOf(service).listCollections({}, { nameOnly: true }).toArray())
      .map(({ name }) => name)
      .filter((name) => !leftOut.has(name) && !name.startsWith('system.'))
      .toSorted((one, other) => storeOf(one) - storeOf(other) || (one < other ? -1 : 1));

  return {
    /** Whether all can be read at one cluster time: on replica sets and sharded clusters. */
    hasSnapshots: isSharded || setName !== undefined,
    collections,
    /** Whether there is neither an account nor a member. */
    async isEmpty(): Promise<boolean> {
      const found = await Promise.all([
        databaseOf('auth')
          .collection('accounts')
          .findOne({}, { projection: { _id: 1 } }),
        databaseOf('profile')
          .collection('members')
          .findOne({}, { projection: { _id: 1 } }),
      ]);
      return found.every((one) => one === null);
    },
    /** The approximate number of documents of a collection, without reading them. */
    count: (service: BackedUpService, name: string): Promise<number> =>
      databaseOf(service).collection(name).estimatedDocumentCount(),
    /** The progress of the last restore. */
    progress: databaseOf('profile').collection<Progress>('restores'),
    /** The documents by which each service sees that a restore is in progress. */
    restores: services.map((service) => databaseOf(service).collection<Progress>('restores')),
    collection: <Document extends mongo.Document>(service: BackedUpService, name: string) =>
      databaseOf(service).collection<Document>(name),
    /** A session whose reads see the time of the first one. */
    startSnapshot: () => client.startSession({ snapshot: true }),
    /** The documents of a collection, in files of bounded size. */
    async *read(
      service: BackedUpService,
      name: string,
      session: mongo.ClientSession | undefined,
    ): AsyncGenerator<Chunk> {
      let parts: Uint8Array[] = [];
      let size = 0;
      const cursor = databaseOf(service)
        .collection(name)
        .find({}, { raw: true, ...(session && { session }) });
      for await (const document of cursor) {
        const bytes = document as unknown as Uint8Array;
        parts.push(bytes);
        size += bytes.length;
        if (size < fileBytes) continue;
        yield { bytes: Buffer.concat(parts), documents: parts.length };
        [parts, size] = [[], 0];
      }
      if (parts.length) yield { bytes: Buffer.concat(parts), documents: parts.length };
    },
    /** Empties a collection. On a sharded cluster its shard key stays, elsewhere its indexes go and make loading faster. */
    async empty(service: BackedUpService, name: string): Promise<void> {
      const collection = databaseOf(service).collection(name);
      if (isSharded) await collection.deleteMany({});
      else await collection.drop();
    },
    /** Writes the documents of a chunk and returns their number. */
    async load(service: BackedUpService, name: string, bytes: Uint8Array): Promise<number> {
      let written = 0;
      for (const some of chunks(documentsOf(bytes), documentsPerWrite)) {
        const collection = databaseOf(service).collection(name);
        written += (await collection.insertMany(some, { ordered: false })).insertedCount;
      }
      return written;
    },
    close: () => connection.close(),
  };
}
