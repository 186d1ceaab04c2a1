import { z } from 'zod';
import type { Exchange } from './exchange.ts';

/** Counts the members of whom a member was notified, after `since` and up to `until`, because they newly fit a saved search. */
export const countMatches = {
  path: '/internal/matches/count',
  callers: ['profile'],
  input: z.object({ id: z.int().positive(), since: z.iso.datetime(), until: z.iso.datetime() }),
  output: z.object({ matches: z.int().nonnegative() }),
} as const satisfies Exchange;
