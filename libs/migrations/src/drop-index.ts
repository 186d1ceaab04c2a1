import type { MigrationWork } from './migration.ts';

/** What MongoDB answers of a collection that is not there. */
const namespaceNotFound = 26;

/** Whether the collection is not there; a database that is away says nothing of that. */
const isMissing = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === namespaceNotFound;

/** Drops an index by its name; nothing where it, or its collection, is not there. */
export async function dropIndex({ collection }: MigrationWork, name: string, index: string): Promise<void> {
  const there = await collection(name)
    .listIndexes()
    .toArray()
    .catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
  if (there.some((one) => one['name'] === index)) await collection(name).dropIndex(index);
}
