import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { writePrivateFile } from '@covalence/runtime/private-file';
import { demoSchema } from './demo.ts';

/** Raised when a seed makes something else than before. */
export const seedVersion = 4;

const client = demoSchema.pick({ client_id: true, client_secret: true, redirect_uri: true });

const stateSchema = z.object({
  version: z.int(),
  count: z.int(),
  seed: z.int(),
  /** The population's present, so that a seed that was broken off goes on with the same people. */
  now: z.iso.datetime(),
  client: client.optional(),
  staff: client.optional(),
  /** Set when everything is there. */
  members: demoSchema.shape.members.optional(),
});

/** How far the seed of a data folder came. */
export type SeedState = z.output<typeof stateSchema>;

/** Reads how far the seed came; undefined before its beginning. */
export function readSeedState(file: string): SeedState | undefined {
  return existsSync(file) ? stateSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
}

/** Keeps how far the seed came; it holds the demo clients' secrets. */
export function writeSeedState(file: string, state: SeedState): void {
  writePrivateFile(file, state);
}
