import { internalCallers, type InternalCaller } from '@covalence/contract/peers/callers';
import { newServiceSecret } from '@covalence/runtime/service-keys';
import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { writePrivateFile } from '@covalence/runtime/private-file';

/** A VAPID key pair for push messages, in base64url. */
function newVapid(): { publicKey: string; privateKey: string } {
  const pair = createECDH('prime256v1');
  const publicKey = pair.generateKeys('base64url');
  // Leading zeros of a private key are missing.
  const privateKey = Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url');
  return { publicKey, privateKey };
}

const secret = (bytes = 32) => randomBytes(bytes).toString('base64url');
/** A new private key for each caller of /internal endpoints. */
export const newServiceSecrets = (): Record<InternalCaller, string> =>
  Object.fromEntries(internalCallers.map((caller) => [caller, newServiceSecret()])) as Record<
    InternalCaller,
    string
  >;

const instanceSchema = z.object({
  namespace: z.string(),
  /** A private key per caller; created for callers that the file lacks. */
  serviceSecrets: z
    .partialRecord(z.enum(internalCallers), z.string())
    .default({})
    .transform((kept) => ({ ...newServiceSecrets(), ...kept })),
  authSecret: z.string().default(() => secret()),
  positionSecret: z.string().default(() => secret()),
  usageSecret: z.string().default(() => secret()),
  demoPassword: z.string().default(() => secret(12)),
  staffPassword: z.string().default(() => secret(12)),
  /** Chosen here, because the gateway starts before the client is registered. */
  consoleClientId: z.uuid().default(() => randomUUID()),
  vapid: z.object({ publicKey: z.string(), privateKey: z.string() }).default(newVapid),
});

/** The namespace of a stack on its engines, its secrets, and the passwords of its demo accounts. */
export type Instance = z.output<typeof instanceSchema>;

/** A new instance with a unique namespace, so that several stacks can share engines. */
export const newInstance = (prefix = 'local'): Instance =>
  instanceSchema.parse({ namespace: `${prefix}-${randomBytes(4).toString('hex')}` });

/** The instance in the file; creates it at the first call and adds missing values. */
export function keptInstance(file: string): Instance {
  const stored: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  const instance = stored === undefined ? newInstance() : instanceSchema.parse(stored);
  if (JSON.stringify(instance) !== JSON.stringify(stored)) writePrivateFile(file, instance);
  return instance;
}
