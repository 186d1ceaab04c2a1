import { comparePage, type ComparedPage, type ComparisonOptions } from './compare-members.ts';

const pageSize = 1_000;

/**
 * Compares every member with the index and overwrites the documents that differ, also those of members unknown to profile. A newer
 * version is never overwritten. `broken` are members whose projection profile cannot make; their documents stay.
 */
export async function repairIndex(options: ComparisonOptions, onPage?: () => Promise<void>) {
  let [compared, repaired] = [0, 0];
  const broken: number[] = [];
  for (let after: number | undefined = 0; after !== undefined;) {
    const { ids, next, differences }: ComparedPage = await comparePage(after, pageSize, options);
    const documents = differences.flatMap(({ document }) => document ?? []);
    await options.documents.overwrite(documents, options.alias);
    compared += ids.length;
    repaired += documents.length;
    broken.push(...differences.flatMap(({ id, document }) => (document ? [] : [id])));
    after = next;
    await onPage?.();
  }
  return { compared, repaired, broken };
}
