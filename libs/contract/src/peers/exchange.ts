import type { z } from 'zod';
import type { InternalCaller } from './callers.ts';

/** One /internal endpoint. The service implements it with `serviceEndpoint(issueCode, async (input, context) => …)`. */
export interface Exchange {
  readonly path: `/internal/${string}`;
  /** Services and tools that may call it; others get 403. */
  readonly callers: readonly InternalCaller[];
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** Timeout of the call in ms, if longer than the default. */
  readonly timeoutMs?: number;
}

/** Timeout in ms of calls that hash, copy or delete in bulk. */
export const slowCallMs = 30_000;
