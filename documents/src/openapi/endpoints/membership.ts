import type { EndpointDocuments, ParameterDocument } from '../endpoint-document.ts';
import { membership as view } from '../samples.ts';

const asked = {
  app_id: { schema: { type: 'string' }, description: 'The app in its store; with app_platform only.' },
  app_platform: {
    schema: { type: 'string', enum: ['app_ios', 'twa', 'app_android'] },
    description: 'The store; with app_id only.',
  },
  promo_code: { schema: { type: 'string', maxLength: 32 }, description: 'Applied to the rates.' },
  version: {
    schema: { type: 'integer', minimum: 0, maximum: 1, default: 0 },
    description: 'Of the in-app product codes: 0 or 1 for twa and app_android, 0 for app_ios.',
  },
} satisfies Record<string, ParameterDocument>;

const id = (description: string): ParameterDocument => ({
  schema: { type: 'integer', minimum: 1 },
  description,
  required: true,
});

/** Packages, rates and the paid membership. */
export const membership: EndpointDocuments = {
  'GET /packages': {
    tag: 'Membership',
    description:
      'Rows in display order, then by days. A promo code that does not apply leaves the rates as they are and says so in `promo_error`; a free trial is one row with `trial_length`. With app_platform and app_id each row has `app_product_id`. `can_purchase` false: send the member to the billing dashboard. Texts and amounts are in the locale of the member. Parameters that do not fit are 403 without code.',
    parameters: asked,
    refusals: ['Forbidden'],
    example: {
      request: { promo_code: 'WELCOME20' },
      answer: {
        packages: [
          {
            package_id: 3,
            rate_id: 301,
            name: '6 months',
            amount: 71.95,
            amount_fmt: '$71.95',
            amount_monthly: 11.99,
            amount_monthly_fmt: '$11.99',
            days: 180,
            currency_code: 'USD',
            savings: 107.99,
            savings_fmt: '$107.99',
            savings_percentage: 60,
            discount: 17.99,
            discount_fmt: '$17.99',
            original: 89.94,
            original_fmt: '$89.94',
            original_monthly: 14.99,
            original_monthly_fmt: '$14.99',
            percentage: 20,
          },
        ],
        can_purchase: true,
      },
    },
  },
  'POST /packages/purchase': {
    tag: 'Membership',
    description:
      'Buys what GET /packages listed. `status` is `pending` while the provider has not decided. Send an Idempotency-Key of your own and repeat the call with it until it is answered: it is charged once. Unknown packages, rates and codes are 403 without code. Where `can_purchase` is false, send the member to the billing dashboard: a purchase is `Purchase Not Possible`.',
    parameters: {
      ...asked,
      package_id: id('From GET /packages.'),
      rate_id: id('From GET /packages.'),
      receipt: {
        schema: { type: 'string', maxLength: 16_384 },
        description: 'Of the store or payment page.',
      },
    },
    refusals: ['Purchase Not Possible', 'Payment Declined', 'Payment Pending', 'Forbidden'],
    idempotent: true,
    example: {
      request: { package_id: 1, rate_id: 101, receipt: 'sandbox-ok' },
      answer: {
        status: 'paid',
        amount: 29.99,
        amount_fmt: '$29.99',
        currency_code: 'USD',
        days: 30,
        ...view,
      },
    },
  },
  'POST /packages/cancel': {
    tag: 'Membership',
    description:
      'The membership is not renewed; what is paid for stays until its end. One whose renewal failed ends at once.',
    example: { answer: { ...view, autorenew: false } },
  },
};
