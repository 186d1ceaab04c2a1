import { appIdForm, pushEnvironments } from '@covalence/contract/push-address';
import { jsonText } from '@covalence/runtime/json-text';
import { p256Key, readPrivateKey } from '@covalence/runtime/private-key';
import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';

const loopback = new Set(['127.0.0.1', 'localhost']);

/** An address that replaces the real one in tests: https, or http on this machine. */
const address = z.url({ protocol: /^https?$/ }).refine((text) => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || loopback.has(hostname);
}, 'must be https');

const common = {
  /** The name by which a client registers a device. */
  id: z.string().regex(appIdForm),
  /** The sites whose members may register. */
  sites: z.array(z.int().positive()).min(1),
};

const appleId = z.string().regex(/^[A-Z0-9]{10}$/);

const iosApp = z.strictObject({
  ...common,
  platform: z.literal('ios'),
  bundle_id: z.string().regex(/^[\w.-]{1,155}$/),
  team_id: appleId,
  key_id: appleId,
  /** The .p8 file of the key, beside the list of apps. */
  key_file: z.string().min(1),
  environments: z.array(z.enum(pushEnvironments)).min(1).default(['production']),
  url: address.optional(),
});

const googleApp = z.strictObject({
  ...common,
  platform: z.enum(['android', 'web']),
  /** The JSON key of the service account, beside the list of apps. */
  service_account_file: z.string().min(1),
  url: address.optional(),
  token_url: address.optional(),
});

const isRsaKey = (pem: string): boolean => readPrivateKey(pem)?.asymmetricKeyType === 'rsa';

/** The key of a service account of Google. */
const serviceAccount = jsonText.pipe(
  z.object({
    type: z.literal('service_account'),
    project_id: z.string().regex(/^[a-z0-9:.-]{1,100}$/),
    client_email: z.string().min(1),
    private_key_id: z.string().min(1),
    private_key: z.string().refine(isRsaKey, 'must be an RSA private key in PEM'),
  }),
);

const appList = z
  .array(z.discriminatedUnion('platform', [iosApp, googleApp]))
  .refine((apps) => new Set(apps.map(({ id }) => id)).size === apps.length, 'has two apps with one id');

/** An app of the list, with its key. */
export type PushApp =
  | (z.output<typeof iosApp> & { readonly key: KeyObject })
  | (z.output<typeof googleApp> & { readonly account: z.output<typeof serviceAccount> });

/** The content of a key file; a problem names the file and never quotes it. */
function checked<T>(schema: z.ZodType<T, string>, text: string, file: string): T {
  const { data, error } = schema.safeParse(text);
  if (error) throw new Error(`${file}: ${z.prettifyError(error)}`);
  return data;
}

/** Reads the list of apps and the key files beside it. */
export function readPushApps(path: string): ReadonlyMap<string, PushApp> {
  const beside = (file: string) => readFileSync(resolve(dirname(path), file), 'utf8');
  const apps = appList.parse(JSON.parse(readFileSync(path, 'utf8'))).map((app): PushApp => {
    return app.platform === 'ios'
      ? { ...app, key: checked(p256Key, beside(app.key_file), app.key_file) }
      : {
          ...app,
          account: checked(serviceAccount, beside(app.service_account_file), app.service_account_file),
        };
  });
  return new Map(apps.map((app) => [app.id, app]));
}
