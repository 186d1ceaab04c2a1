import { writePrivateFile } from '@covalence/runtime/private-file';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../checkout.ts';

/** Matches one namespace, in the pattern language of the store. */
type AnyNamespace = '*' | '[^.]+';

/** The password of an engine: created at its first start, in a file that only its owner can read. */
export function enginePassword(folder: string): string {
  const file = join(folder, 'password.json');
  if (existsSync(file)) return z.string().parse(JSON.parse(readFileSync(file, 'utf8')));
  mkdirSync(folder, { recursive: true });
  const password = randomBytes(24).toString('base64url');
  writePrivateFile(file, password);
  return password;
}

/** The users of `config/stores`, all with one password and for every namespace, because test runs share engines. */
export function serviceUsers(file: string, password: string, anyNamespace: AnyNamespace): string {
  return readFileSync(join(root, 'config/stores', file), 'utf8')
    .replaceAll(/\{\{password [^{}]*\}\}/g, password)
    .replaceAll(/covalence(?=[:\\])/g, anyNamespace);
}

/** The address of an engine, which may name several hosts, with another user. */
export const addressFor = (user: string, url: string): string =>
  url.replace(/^([^/]+:\/\/)(?:[^:@/]*(:[^@/]*)?@)?/, (_, scheme: string, password = '') =>
    [scheme, user, password, '@'].join(''),
  );
