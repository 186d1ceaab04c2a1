import type { Peer } from '@covalence/http/peer';
import type { DataFolder } from '../checkout.ts';
import { createStackPeer } from '../services/credentials.ts';
import type { Instance } from '../services/instance.ts';
import type { Stack } from '../stack.ts';

/** What a seed works with. */
export interface SeedOptions {
  readonly stack: Stack;
  readonly data: DataFolder;
  readonly instance: Instance;
  readonly around: NodeJS.ProcessEnv;
  readonly count: number;
  readonly seed: number;
  readonly progress: (line: string) => void;
  readonly stopped: AbortSignal;
}

const peerLimitMs = 60_000;

/** The client of a part's internal calls. */
export const peerOf = ({ stack, instance }: SeedOptions, name: 'auth' | 'profile' | 'billing'): Peer => {
  const url = stack.services.get(name)?.url;
  if (!url) throw new Error(`the seed needs ${name}`);
  return createStackPeer({ instance, url, to: name, timeoutMs: peerLimitMs });
};
