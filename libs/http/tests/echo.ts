import { z } from 'zod';
import { endpoint } from '../src/endpoint.ts';
import { documentation } from './documentation.ts';

/** An endpoint that returns its input. */
export const echo = endpoint({
  access: 'public',
  ...documentation,
  summary: 'Answers what it was given',
  input: z.record(z.string(), z.unknown()),
  output: z.object({ got: z.unknown() }),
  handler: ({ input }) => Promise.resolve({ got: input }),
});
