import { internalCallers, type InternalCaller } from '@covalence/contract/internal/callers';
import { newServiceSecret } from '@covalence/runtime/service-keys';
import { createECDH, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { writePrivateFile } from '@covalence/runtime/private-file';

/** The key pair of a stack's push messages, web-safe base64 as VAPID has it. */
function newVapid(): { publicKey: string; privateKey: string } {
  const pair = createECDH('prime256v1');
  const publicKey = pair.generateKeys('base64url');
  // A private key that begins with zeros comes shorter.
  const privateKey = Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url');
  return { publicKey, privateKey };
}

const secret = (bytes = 32) => randomBytes(bytes).toString('base64url');
/** A new private key for every caller of /internal endpoints. */
export const newServiceSecrets = (): Record<InternalCaller, string> =>
  Object.fromEntries(internalCallers.map((caller) => [caller, newServiceSecret()])) as Record<
    InternalCaller,
    string
  >;

const instanceSchema = z.object({
  namespace: z.string(),
  /** The private key of each caller; made new for callers that the file does not know. */
  serviceSecrets: z
    .partialRecord(z.enum(internalCallers), z.string())
    .default({})
    .transform((kept) => ({ ...newServiceSecrets(), ...kept })),
  authSecret: z.string(),
  /** Made new where the file is of before positions were displaced. */
  positionSecret: z.string().default(() => secret()),
  demoPassword: z.string(),
  staffPassword: z.string(),
  /** Made new where the file is of before there was push. */
  vapid: z.object({ publicKey: z.string(), privateKey: z.string() }).default(newVapid),
});

/** What makes one stack itself: the prefix of its data on the engines, its secrets, and the passwords of its demo accounts. */
export type Instance = z.output<typeof instanceSchema>;

/** A new instance. Its namespace is its own, so that engines at a given address can serve several. */
export function newInstance(prefix = 'local'): Instance {
  return {
    namespace: `${prefix}-${randomBytes(4).toString('hex')}`,
    serviceSecrets: newServiceSecrets(),
    authSecret: secret(),
    positionSecret: secret(),
    demoPassword: secret(12),
    staffPassword: secret(12),
    vapid: newVapid(),
  };
}

/** The instance that the file keeps; made and kept at the first call. */
export function keptInstance(file: string): Instance {
  if (existsSync(file)) {
    const stored: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const instance = instanceSchema.parse(stored);
    if (JSON.stringify(instance) !== JSON.stringify(stored)) writePrivateFile(file, instance);
    return instance;
  }
  const instance = newInstance();
  writePrivateFile(file, instance);
  return instance;
}
