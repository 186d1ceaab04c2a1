import type { z } from 'zod';
import type { InternalCaller } from './callers.ts';

/** One /internal endpoint. An endpoint of the service spreads it: `endpoint({ access: 'service', ...issueCode, handler })`. */
export interface Exchange {
  readonly path: `/internal/${string}`;
  /** Services and tools that may call it. Everyone else gets 403. */
  readonly callers: readonly InternalCaller[];
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** How long a caller waits for the answer, ms, if longer than for others. */
  readonly timeoutMs?: number;
}

/** Time limit of calls that hash, copy or delete in bulk, ms. */
export const slowCallMs = 30_000;
