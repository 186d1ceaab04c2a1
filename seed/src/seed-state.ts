import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { writePrivateFile } from '@covalence/runtime/private-file';
import { demoSchema } from './demo.ts';

/** Increased when the generated population changes. */
export const seedVersion = 4;

const client = demoSchema.pick({ client_id: true, client_secret: true, redirect_uri: true });

const stateSchema = z.object({
  version: z.int(),
  count: z.int(),
  seed: z.int(),
  /** The time of the population, so that an interrupted seed continues with the same members. */
  now: z.iso.datetime(),
  client: client.optional(),
  public_client: demoSchema.shape.public_client.optional(),
  staff: client.optional(),
  /** Set when the seed is complete. */
  members: demoSchema.shape.members.optional(),
});

/** The progress of the seed of a data folder. */
export type SeedState = z.output<typeof stateSchema>;

/** Reads the progress; undefined before the start. */
export function readSeedState(file: string): SeedState | undefined {
  return existsSync(file) ? stateSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
}

/** Saves the progress, which contains the secrets of the demo clients. */
export function writeSeedState(file: string, state: SeedState): void {
  writePrivateFile(file, state);
}
