import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writePrivateFile } from '@covalence/runtime/private-file';

/** The password of an engine: made at its first start, and kept in its folder where only the owner can read it. */
export function keptPassword(folder: string): string {
  const file = join(folder, 'password.json');
  if (existsSync(file)) return z.string().parse(JSON.parse(readFileSync(file, 'utf8')));
  mkdirSync(folder, { recursive: true });
  const password = randomBytes(24).toString('base64url');
  writePrivateFile(file, password);
  return password;
}
