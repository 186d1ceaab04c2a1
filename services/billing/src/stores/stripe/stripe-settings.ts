import type { Clock } from '@covalence/runtime/clock';
import { z } from 'zod';

/** The setting: a secret or restricted key; its problem does not quote it. */
export const stripeKey = z
  .string()
  .regex(/^(?:sk|rk)_(?:test|live)_\w{8,255}$/, 'must be a secret or restricted key of Stripe');

/** The setting: the signing secrets of the endpoint, several while one is replaced. */
export const stripeWebhookSecrets = z
  .string()
  .transform((text) => text.split(',').flatMap((secret) => secret.trim() || []))
  .pipe(
    z
      .array(z.string().regex(/^whsec_[\w+/=]{16,255}$/, 'must be signing secrets of Stripe, by commas'))
      .min(1)
      .max(5),
  );

/** Access to Stripe; tests use another address. */
export interface StripeOptions {
  readonly secretKey: string;
  readonly webhookSecrets: readonly string[];
  /** The id of the settings of the customer portal; the account's default ones without it. */
  readonly portalConfiguration?: string | undefined;
  /** Whether Stripe computes the tax that is in the prices. */
  readonly automaticTax?: boolean;
  /** Address that stands for that of the API; Stripe's by default. */
  readonly apiUrl?: string | undefined;
  readonly clock?: Clock;
}
