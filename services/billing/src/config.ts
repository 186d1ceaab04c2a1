import { baseConfig, serviceSecret, settingAt, sitesFile } from '@covalence/runtime/config';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { readPackageData } from './packages/package-data.ts';

/** The data that ships with the service; sources and builds are equally far from it. */
const shippedData = fileURLToPath(new URL('../data', import.meta.url));

/** The environment of the billing service. */
export const configSchema = z.object({
  ...baseConfig,
  SERVICE_SECRET: serviceSecret,
  SITES_FILE: sitesFile,
  /** base_url: the audience of access tokens. */
  PUBLIC_URL: z.url(),
  /** auth_url: the issuer of access tokens; PUBLIC_URL where nothing is said (D5). */
  AUTH_PUBLIC_URL: z.url().optional(),
  /** Inner address of the auth service, for its JWKS. */
  AUTH_URL: z.url(),
  /** Inner address of the profile service, whose records show memberships. */
  PROFILE_URL: z.url(),
  MONGODB_URL: z.string().min(1),
  RABBITMQ_URL: z.string().min(1),
  /** A folder with packages.json, in-app-products.json and promo-codes.json, read and checked at start (D40). */
  PACKAGES_DIR: settingAt(readPackageData).prefault(shippedData),
  /** What the payment provider signs its web-hooks with; without it none are taken. */
  PAYMENT_WEBHOOK_SECRET: z.string().min(32).optional(),
  /** Milliseconds between two looks for memberships to renew or end and payments left open. */
  EXPIRY_POLL_MS: z.coerce.number().int().min(50).default(10_000),
});

/** The checked configuration. */
export type BillingConfig = z.output<typeof configSchema>;
