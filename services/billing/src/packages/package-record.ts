import { z } from 'zod';

const text = z.string();
const number = z.number();

/** One row of GET /packages: every field, those that are not always there optional. */
export const packageRecord = z
  .strictObject({
    package_id: z.int(),
    rate_id: z.int(),
    name: text,
    amount: number,
    amount_fmt: text,
    amount_monthly: number,
    amount_monthly_fmt: text,
    days: z.int(),
    currency_code: text.length(3),
    savings: number.optional(),
    savings_fmt: text.optional(),
    savings_percentage: number.optional(),
    discount: number.optional(),
    discount_fmt: text.optional(),
    original: number.optional(),
    original_fmt: text.optional(),
    original_monthly: number.optional(),
    original_monthly_fmt: text.optional(),
    percentage: number.optional(),
    promo_error: text.optional(),
    trial_length: z.int().optional(),
    app_product_id: text.optional(),
    offer_id: text.optional(),
  })
  .meta({ id: 'PackageRecord', description: 'A package and rate.' });

/** A package and rate as the client sees it. */
export type PackageRecord = z.infer<typeof packageRecord>;
