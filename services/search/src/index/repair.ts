import { comparePage, type ComparisonOptions } from './compare-members.ts';

/** What a repair did. */
export interface Repaired {
  readonly compared: number;
  readonly repaired: number;
  /** Members whom profile cannot make a projection of: their documents stay as they are. */
  readonly broken: readonly number[];
}

const pageSize = 1_000;

/**
 * Compares every member with the index and writes what differs, members unknown to profile included. Changes that
 * arrive meanwhile stay: nothing is written over a newer version.
 */
export async function repairIndex(
  compared: ComparisonOptions,
  onPage: () => void | Promise<void> = () => undefined,
): Promise<Repaired> {
  let [seen, repaired] = [0, 0];
  const broken: number[] = [];
  for (let after: number | undefined = 0; after !== undefined;) {
    const { ids, next, differences }: Awaited<ReturnType<typeof comparePage>> = await comparePage(
      after,
      pageSize,
      compared,
    );
    const documents = differences.flatMap(({ document }) => document ?? []);
    await compared.documents.overwrite(documents, compared.alias);
    seen += ids.length;
    repaired += documents.length;
    broken.push(...differences.flatMap(({ id, document }) => (document ? [] : [id])));
    after = next;
    await onPage();
  }
  return { compared: seen, repaired, broken };
}
