import type { MigrationWork } from './migration.ts';

/** MongoDB's error code for a missing collection. */
const namespaceNotFound = 26;

/** Drops an index; does nothing if it or its collection does not exist. */
export async function dropIndex({ collection }: MigrationWork, name: string, index: string): Promise<void> {
  const there = await collection(name)
    .listIndexes()
    .toArray()
    .catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === namespaceNotFound) return [];
      throw error;
    });
  if (there.some((one) => one['name'] === index)) await collection(name).dropIndex(index);
}
