import type { Clock } from '@covalence/runtime/clock';
import { jsonText } from '@covalence/runtime/json-text';
import { readPrivateKey } from '@covalence/runtime/private-key';
import { z } from 'zod';

const appSchema = z.strictObject({
  /** The package name, which is the app id of the package data. */
  package_name: z.string().regex(/^[a-zA-Z]\w*(\.[a-zA-Z]\w*)+$/, 'must be a package name'),
  /** The service account that may see and change orders and subscriptions. */
  client_email: z.email(),
  private_key: z.string().refine(readPrivateKey, 'must be a private key in PEM'),
  /** The audience of the tokens that Pub/Sub sends notifications with, and the account that they name. */
  push_audience: z.string().min(1),
  push_email: z.email(),
  /** Whether purchases of license testers, which cost nothing, give memberships. */
  test_purchases: z.boolean().default(false),
});

/** An app of Google Play, with the account for its API. */
export type GooglePlayApp = z.output<typeof appSchema>;

/** The setting: the apps as JSON. Its problems name fields, never a secret. */
export const googlePlayApps = jsonText.pipe(
  z
    .array(appSchema)
    .refine(
      (all) => new Set(all.map(({ package_name }) => package_name)).size === all.length,
      'package_name must be unique',
    ),
);

/** Access to Google; tests use other addresses. */
export interface GooglePlayOptions {
  readonly apps: readonly GooglePlayApp[];
  /** Address that stands for those of the API, the access tokens and the keys of Pub/Sub; Google's by default. */
  readonly apiUrl?: string | undefined;
  readonly clock?: Clock;
}
