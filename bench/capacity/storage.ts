import { mongo } from 'mongoose';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { engineUrl } from '../engines.ts';
import type { System } from '../system.ts';

const { calculateObjectSize } = mongo.BSON;

/** Bytes that MongoDB adds to each key of an index (the record number), and BSON to an array and to each element. */
const added = { record: 8, array: 5, element: 2 };

/** Documents of a collection: their number, and bytes of them and of their keys. */
interface Stored {
  readonly documents: number;
  readonly data: number;
  readonly index: number;
}

/** The databases of a system. */
const services = ['auth', 'profile', 'search', 'billing'] as const;

const valueAt = (document: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (at, name) =>
        Array.isArray(at)
          ? at.map((each: unknown) => valueAt(each, name))
          : (at as Readonly<Record<string, unknown>> | undefined)?.[name],
      document,
    );

/** Bytes of the keys of a document in an index; an array has a key for each element. */
function keyBytes(document: object, names: readonly string[], isSparse: boolean): number {
  const values = names.map((name) => valueAt(document, name));
  if (isSparse && values.every((value) => value === undefined || value === null)) return 0;
  const most = Math.max(1, ...values.map((value) => (Array.isArray(value) ? value.length : 1)));
  const first = values.map((value): unknown => (Array.isArray(value) ? value[0] : value) ?? null);
  const bytes = calculateObjectSize(first) - added.array - first.length * added.element;
  return most * (bytes + added.record);
}

async function storedIn(collection: mongo.Collection): Promise<Stored> {
  const indexes = await collection.indexes();
  const stored = { documents: 0, data: 0, index: 0 };
  for await (const document of collection.find({})) {
    stored.documents += 1;
    stored.data += calculateObjectSize(document);
    for (const { key, sparse, partialFilterExpression: partial } of indexes)
      stored.index += keyBytes(document, Object.keys(key), Boolean(sparse ?? partial));
  }
  return stored;
}

/** The stored documents of every collection of a system, by `<service>.<collection>`. */
export async function readStored({ databaseOf }: System): Promise<ReadonlyMap<string, Stored>> {
  const found = new Map<string, Stored>();
  for (const service of services) {
    const database = databaseOf(service);
    for (const { name } of await database.listCollections().toArray())
      found.set(`${service}.${name}`, await storedIn(database.collection(name)));
  }
  return found;
}

/** Bytes of the index of a system, one copy. */
export async function readIndexBytes({ namespace }: System): Promise<number> {
  const index = `${engineUrl('elasticsearch')}/${namespace}-members`;
  await fetch(`${index}/_flush`, { method: 'POST' });
  const answer = await fetch(`${index}/_stats/store`);
  const { _all } = (await answer.json()) as { _all: { primaries: { store: { size_in_bytes: number } } } };
  return _all.primaries.store.size_in_bytes;
}

/** Bytes of all files below a folder. */
export const folderBytes = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
