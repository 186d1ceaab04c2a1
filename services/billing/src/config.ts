import { mongodbUrl, partUrl, publicAddresses, rabbitmqUrl } from '@covalence/runtime/addresses';
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
  ...publicAddresses,
  /** Inner address of the auth service, for its JWKS. */
  AUTH_URL: partUrl,
  /** Inner address of the profile service, whose records show memberships. */
  PROFILE_URL: partUrl,
  MONGODB_URL: mongodbUrl,
  RABBITMQ_URL: rabbitmqUrl,
  /** A folder with packages.json, in-app-products.json and promo-codes.json, read and checked at start (D40). */
  PACKAGES_DIR: settingAt(readPackageData).prefault(shippedData),
  /** What the payment provider signs its web-hooks with; without it none are taken. */
  PAYMENT_WEBHOOK_SECRET: z.string().min(32).optional(),
  /** Milliseconds between two looks for memberships to renew or end and payments left open. */
  EXPIRY_POLL_MS: z.coerce.number().int().min(50).default(10_000),
});

/** The checked configuration. */
export type BillingConfig = z.output<typeof configSchema>;
