import { comparePage, type Compared } from './compare-members.ts';

/** What a repair did. */
export interface Repaired {
  readonly compared: number;
  readonly repaired: number;
}

const pageSize = 1_000;

/**
 * Compares every member with the index and writes what differs, members unknown to profile included. Changes that
 * arrive meanwhile stay: nothing is written over a newer version.
 */
export async function repairIndex(
  compared: Compared,
  onPage: () => void | Promise<void> = () => undefined,
): Promise<Repaired> {
  let [seen, repaired] = [0, 0];
  for (let after: number | undefined = 0; after !== undefined;) {
    const { ids, next, differences }: Awaited<ReturnType<typeof comparePage>> = await comparePage(
      after,
      pageSize,
      compared,
    );
    await compared.documents.overwrite(
      differences.map(({ document }) => document),
      compared.alias,
    );
    seen += ids.length;
    repaired += differences.length;
    after = next;
    await onPage();
  }
  return { compared: seen, repaired };
}
