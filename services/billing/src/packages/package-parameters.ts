import { parseNumber } from '@covalence/contract/catalogue/check-value';
import { returnUrl } from '@covalence/contract/peers/auth-api';
import { isPresent, optional, unchecked } from '@covalence/contract/parameters';
import { z } from 'zod';
import type { App } from '../prices/offers.ts';
import { appPlatforms, versionsOf } from '../prices/package-data.ts';

const text = z.union([z.string(), z.number()]).transform(String);
/** Only null counts as absent: an empty app id is present and matches no app. */
const appText = text.nullish().transform((given) => given ?? undefined);
const promoCode = optional(text.refine((code) => Array.from(code).length <= 32));

/** An app's version; 0 by default, undefined if the platform has no such version. */
const versionOf = (platform: App['app_platform'], given: unknown): number | undefined => {
  const version = parseNumber(isPresent(given) ? given : 0);
  return version !== undefined && versionsOf[platform].includes(version) ? version : undefined;
};

/**
 * The parameters of GET /packages. Refused without a code: app_id or app_platform alone or empty, an unknown platform, a version that
 * the platform does not have, a promo_code over 32 characters. Without app_platform the version is ignored.
 */
export const packageParameters = z
  .object({
    app_id: appText.meta({ type: 'string', description: 'The app in its store; with app_platform only.' }),
    app_platform: appText.meta({
      type: 'string',
      enum: [...appPlatforms],
      description: 'The store; with app_id only.',
    }),
    promo_code: promoCode.meta({ type: 'string', maxLength: 32, description: 'Applied to the rates.' }),
    version: unchecked({
      type: 'integer',
      minimum: 0,
      maximum: 1,
      default: 0,
      description: 'Version of the in-app product codes: 0 or 1 for twa and app_android, 0 for app_ios.',
    }),
  })
  .transform(({ app_id, app_platform, promo_code, version: given }, context) => {
    if (app_id === undefined && app_platform === undefined) return { app: undefined, promo_code };
    const platform = appPlatforms.find((name) => name === app_platform);
    const version = platform && versionOf(platform, given);
    if (!app_id || platform === undefined || version === undefined) {
      context.addIssue({ code: 'custom', message: 'app_id, app_platform and version do not fit' });
      return z.NEVER;
    }
    const app: App = { app_id, app_platform: platform, version };
    return { app, promo_code };
  });

const id = z
  .unknown()
  .transform(parseNumber)
  .pipe(z.int().positive())
  .meta({ type: 'integer', minimum: 1, description: 'From GET /packages.', 'x-required': true });

/** The parameters of POST /packages/purchase: those of GET /packages, package, rate, and the receipt of the store or payment page. */
export const purchaseParameters = z
  .object({
    package_id: id,
    rate_id: id,
    receipt: optional(z.string().max(16_384)).meta({
      type: 'string',
      maxLength: 16_384,
      description: 'The receipt of the store or payment page.',
    }),
    expected_amount: optional(z.coerce.number().nonnegative()).meta({
      type: 'number',
      minimum: 0,
      description: 'The `amount` that the app showed: another price is refused. Not for an app’s store.',
    }),
    expected_currency: optional(z.string().regex(/^[A-Za-z]{3}$/)).meta({
      type: 'string',
      description: 'The `currency_code` that the app showed, with `expected_amount`.',
    }),
    success_url: optional(returnUrl).meta({
      type: 'string',
      format: 'uri',
      maxLength: 2_048,
      description: 'On the web: where the browser goes after the payment.',
    }),
    cancel_url: optional(returnUrl).meta({
      type: 'string',
      format: 'uri',
      maxLength: 2_048,
      description: 'On the web: where the browser returns without a payment.',
    }),
  })
  .refine(
    ({ expected_amount: amount, expected_currency: currency }) =>
      (amount === undefined) === (currency === undefined),
  )
  .and(packageParameters);

/** A requested purchase. */
export type Purchase = z.output<typeof purchaseParameters>;
