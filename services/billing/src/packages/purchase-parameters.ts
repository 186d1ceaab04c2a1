import { parseNumber } from '@covalence/contract/catalogue/check-value';
import { optional } from '@covalence/contract/parameters';
import { z } from 'zod';
import { packageParameters } from './package-parameters.ts';

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
  })
  .and(packageParameters);

/** A requested purchase. */
export type Purchase = z.output<typeof purchaseParameters>;
