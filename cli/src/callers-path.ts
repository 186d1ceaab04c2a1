import { resolve } from 'node:path';

/** A path as the person who typed it means it: pnpm runs its scripts in the folder of the checkout. */
export function callersPath(given: string, { INIT_CWD: from = process.cwd() }: NodeJS.ProcessEnv): string {
  return resolve(from, given);
}
