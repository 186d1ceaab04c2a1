import type { SeedTarget } from '@covalence/seed/seed-options';
import type { DataFolder } from '../checkout.ts';
import { cacheFolder } from '../engines/cache-folder.ts';
import type { Stack } from '../stack.ts';
import { createStackPeer } from './credentials.ts';
import { untilIndexed } from './index-count.ts';
import type { Instance } from './instance.ts';
import { sitesIn } from './service-environment.ts';

/** What a stack consists of, for the seed. */
interface SeededStack {
  readonly stack: Stack;
  readonly data: DataFolder;
  readonly instance: Instance;
  readonly around: NodeJS.ProcessEnv;
}

const peerTimeoutMs = 60_000;

/** The target of a seed that fills this stack. */
export function seedTarget({ stack, data, instance, around }: SeededStack): SeedTarget {
  return {
    url: stack.url,
    peer: (name) => {
      const url = stack.services.get(name)?.url;
      if (!url) throw new Error(`The seed needs the ${name} service.`);
      return createStackPeer({ instance, url, to: name, timeoutMs: peerTimeoutMs });
    },
    sites: [...sitesIn(around).values()],
    passwords: { members: instance.demoPassword, staff: instance.staffPassword },
    stateFile: data.seedFile,
    portraits: {
      photos: data.photos,
      cache: cacheFolder('portraits', around),
      secret: instance.serviceSecrets.operator,
    },
    async untilIndexed(count, stopped) {
      const search = stack.engines.get('elasticsearch')?.url;
      if (search) await untilIndexed(search, instance.namespace, count, stopped);
    },
  };
}
