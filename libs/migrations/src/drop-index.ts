import type { MigrationWork } from './migration.ts';

/** Drops an index by its name; nothing where it, or its collection, is not there. */
export async function dropIndex({ collection }: MigrationWork, name: string, index: string): Promise<void> {
  const there = await collection(name)
    .listIndexes()
    .toArray()
    .catch(() => []);
  if (there.some((one) => one['name'] === index)) await collection(name).dropIndex(index);
}
