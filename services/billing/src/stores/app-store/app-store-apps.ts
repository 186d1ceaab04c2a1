import { jsonText } from '@covalence/runtime/json-text';
import { p256Key } from '@covalence/runtime/private-key';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** Apple Root CA - G3, which the certificates of the App Store end at; the path is the same from src and dist. */
const appleRoot = fileURLToPath(new URL('../../../data/apple-root-ca-g3.pem', import.meta.url));

const appSchema = z.strictObject({
  /** The app as the package data names it: its numeric id in the store. */
  app_id: z.string().regex(/^[1-9]\d{0,15}$/, 'must be the numeric id of the app'),
  bundle_id: z.string().min(1).max(255),
  /** Purchases of testers are of `Sandbox`: an app that is listed for both gives testers memberships that cost nothing. */
  environment: z.enum(['Production', 'Sandbox']).default('Production'),
  /** The key of the In-App Purchase type, from App Store Connect. */
  issuer_id: z.string().min(1),
  key_id: z.string().min(1),
  key: p256Key,
});

/** An app in one environment of the App Store, with the key for its API. */
export type AppStoreApp = z.output<typeof appSchema>;

/** The setting: the apps as JSON. Its problems name fields, never a secret. */
export const appStoreApps = jsonText.pipe(
  z
    .array(appSchema)
    .refine(
      (all) => new Set(all.map((app) => `${app.bundle_id} ${app.environment}`)).size === all.length,
      'bundle_id and environment must be unique together',
    ),
);

/** Access to the App Store; tests use another root and address. */
export interface AppStoreOptions {
  readonly apps: readonly AppStoreApp[];
  /** Root certificates, DER. */
  readonly roots?: readonly Buffer[];
  /** Address of the App Store Server API; Apple's for the environment by default. */
  readonly apiUrl?: string | undefined;
  /** Whether certificates are checked for revocation, which asks Apple. */
  readonly onlineChecks?: boolean;
}

/** Reads the certificates of a PEM file, DER. */
export function readCertificates(path: string): readonly Buffer[] {
  const all = readFileSync(path, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (!all) throw new Error('the PEM file has no certificate');
  return all.map((pem) => new X509Certificate(pem).raw);
}

/** Apple's root certificate, DER. */
export const appleRoots = (): readonly Buffer[] => readCertificates(appleRoot);
