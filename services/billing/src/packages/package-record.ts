import { z } from 'zod';

const text = z.string();
const number = z.number();

/** One row of GET /packages. */
export const packageRecord = z
  .strictObject({
    package_id: z.int().meta({ examples: [3] }),
    rate_id: z.int().meta({ examples: [301] }),
    name: text.meta({ examples: ['6 months'] }),
    amount: number.meta({ examples: [71.95] }),
    amount_fmt: text.meta({ examples: ['$71.95'] }),
    amount_monthly: number.meta({ examples: [11.99] }),
    amount_monthly_fmt: text.meta({ examples: ['$11.99'] }),
    days: z.int().meta({ examples: [180] }),
    currency_code: text.length(3).meta({ examples: ['USD'] }),
    savings: number.optional().meta({ examples: [107.99] }),
    savings_fmt: text.optional().meta({ examples: ['$107.99'] }),
    savings_percentage: number.optional().meta({ examples: [60] }),
    discount: number.optional().meta({ examples: [17.99] }),
    discount_fmt: text.optional().meta({ examples: ['$17.99'] }),
    original: number.optional().meta({ examples: [89.94] }),
    original_fmt: text.optional().meta({ examples: ['$89.94'] }),
    original_monthly: number.optional().meta({ examples: [14.99] }),
    original_monthly_fmt: text.optional().meta({ examples: ['$14.99'] }),
    percentage: number.optional().meta({ examples: [20] }),
    promo_error: text.optional(),
    trial_length: z.int().optional(),
    app_product_id: text.optional(),
    offer_id: text.optional(),
  })
  .meta({ id: 'PackageRecord', description: 'A package and rate.' });

/** A package at a rate, for clients. */
export type PackageRecord = z.infer<typeof packageRecord>;
