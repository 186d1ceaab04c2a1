import { CommandError } from '@covalence/runtime/command-error';
import type { SeedTarget } from '@covalence/seed/seed-options';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { DataFolder } from '../checkout.ts';
import { askElasticsearch } from '../engines/ask-elasticsearch.ts';
import { cacheFolder } from '../engines/cache-folder.ts';
import type { Stack } from './stack.ts';
import { createStackPeer } from './credentials.ts';
import type { Instance } from './instance.ts';
import { sitesIn } from './service-environment.ts';

interface SeededStack {
  readonly stack: Stack;
  readonly data: DataFolder;
  readonly instance: Instance;
  readonly environment: NodeJS.ProcessEnv;
}

const peerTimeoutMs = 60_000;
/** Indexing is given up after this long without progress. */
const stalledMs = 60_000;

const countSchema = z.object({ count: z.int() });

/** The number of members in the search index; 0 without an index or while the engine is down. */
async function indexedMembers(elasticsearchUrl: string, namespace: string): Promise<number> {
  const body = await askElasticsearch(elasticsearchUrl, `${namespace}-members/_count`).catch(() => undefined);
  return body === undefined ? 0 : countSchema.parse(JSON.parse(body)).count;
}

/** The options of the seed that fills this stack. */
export function seedTarget({ stack, data, instance, environment }: SeededStack): SeedTarget {
  return {
    url: stack.url,
    peer: (name) => {
      const url = stack.services.get(name)?.url;
      if (!url) throw new Error(`The seed needs the ${name} service.`);
      return createStackPeer({ instance, url, to: name, timeoutMs: peerTimeoutMs });
    },
    consoleClientId: instance.consoleClientId,
    sites: [...sitesIn(environment).values()],
    passwords: { members: instance.demoPassword, staff: instance.staffPassword },
    stateFile: data.seedFile,
    portraits: {
      photos: data.photos,
      cache: cacheFolder('portraits', environment),
      secret: instance.serviceSecrets.operator,
    },
    async untilIndexed(count, stopped) {
      const url = stack.engines.get('elasticsearch')?.url;
      if (!url) return;
      let before = -1;
      for (let since = Date.now(); ; await wait(200, undefined, { signal: stopped })) {
        const indexed = await indexedMembers(url, instance.namespace);
        if (indexed >= count) return;
        if (indexed !== before) since = Date.now();
        before = indexed;
        if (Date.now() - since > stalledMs) {
          throw new CommandError(
            `The search index has ${indexed} of ${count} members and makes no progress: see the log of search.`,
          );
        }
      }
    },
  };
}
