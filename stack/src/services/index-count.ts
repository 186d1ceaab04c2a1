import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { askElasticsearch } from '../engines/ask-elasticsearch.ts';
import { CommandError } from '@covalence/runtime/command-error';

const answerSchema = z.object({ count: z.int() });
/** Without progress for this long the index is not coming. */
const patienceMs = 60_000;

/** How many members the search index of a namespace holds; 0 while there is none, and while the engine is away. */
async function indexedMembers(elasticsearchUrl: string, namespace: string): Promise<number> {
  const answer = await askElasticsearch(elasticsearchUrl, `${namespace}-members/_count`).catch(
    () => undefined,
  );
  return answer === undefined ? 0 : answerSchema.parse(JSON.parse(answer)).count;
}

/** Waits until the search index holds this many members. */
export async function untilIndexed(
  elasticsearchUrl: string,
  namespace: string,
  count: number,
  stopped: AbortSignal,
): Promise<void> {
  let before = -1;
  for (let since = Date.now(); ; await wait(200, undefined, { signal: stopped })) {
    const indexed = await indexedMembers(elasticsearchUrl, namespace);
    if (indexed >= count) return;
    if (indexed !== before) since = Date.now();
    before = indexed;
    if (Date.now() - since > patienceMs) {
      throw new CommandError(
        `The search index has ${indexed} of ${count} members and does not go on: see the log of search.`,
      );
    }
  }
}
