import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

const instanceSchema = z.object({
  namespace: z.string(),
  serviceSecret: z.string(),
  authSecret: z.string(),
  demoPassword: z.string(),
  staffPassword: z.string(),
});

/** What makes one stack itself: the prefix of its data on the engines, its secrets, and the passwords of its demo accounts. */
export type Instance = z.output<typeof instanceSchema>;

const secret = (bytes = 32) => randomBytes(bytes).toString('base64url');

/** A new instance. Its namespace is its own, so that engines at a given address can serve several. */
export function newInstance(prefix = 'local'): Instance {
  return {
    namespace: `${prefix}-${randomBytes(4).toString('hex')}`,
    serviceSecret: secret(),
    authSecret: secret(),
    demoPassword: secret(12),
    staffPassword: secret(12),
  };
}

/** Writes a file that only its owner can read; it is there whole or not at all. */
export function writePrivateFile(file: string, value: unknown): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

/** The instance that the file keeps; made and kept at the first call. */
export function keptInstance(file: string): Instance {
  if (existsSync(file)) return instanceSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const instance = newInstance();
  writePrivateFile(file, instance);
  return instance;
}
