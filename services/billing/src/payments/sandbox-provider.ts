import { unavailable } from '@covalence/contract/failure';
import { createHash } from 'node:crypto';
import type { Charge, PaymentProvider } from './provider.ts';
import type { SandboxCharge, SandboxChargeStore } from './sandbox-charge-store.ts';

/** Outcome of a receipt's charges. */
interface Behavior {
  readonly purchase: Charge['status'];
  /** Outcome of renewals. */
  readonly renewal?: Charge['status'];
  /** State of a pending charge at the next look. */
  readonly later?: Charge['status'];
  /** The charge is made, but its response is lost. */
  readonly answerLost?: true;
  /** The bank has reversed the charge at the next look. */
  readonly chargedBack?: true;
  /** It cannot be refunded, as a disputed one. */
  readonly disputed?: true;
}

const paid: Behavior = { purchase: 'paid' };

/** By the first word of the receipt, up to a colon: `delay:42` is delayed. Every other receipt is paid (docs/billing.md). */
const behaviors: ReadonlyMap<string, Behavior> = new Map([
  ['decline', { purchase: 'declined' }],
  ['delay', { purchase: 'pending', later: 'paid' }],
  ['delay-decline', { purchase: 'pending', later: 'declined' }],
  ['lost-answer', { purchase: 'paid', answerLost: true }],
  ['chargeback', { purchase: 'paid', chargedBack: true }],
  ['dispute', { purchase: 'paid', disputed: true }],
  ['decline-renewal', { purchase: 'paid', renewal: 'declined' }],
  ['delay-renewal', { purchase: 'paid', renewal: 'pending', later: 'paid' }],
]);

const behaviorOf = (receipt: string): Behavior => behaviors.get(receipt.split(':')[0] ?? '') ?? paid;

const referenceOf = (key: string) => `sandbox_${createHash('sha256').update(key).digest('hex').slice(0, 24)}`;

const asCharge = ({ key, reference, status, refunded }: SandboxCharge): Charge => ({
  key,
  reference,
  status,
  refunded,
});

/** A provider that takes no money. The receipt selects the outcome, so that clients can test each one. */
export function createSandboxProvider(charges: SandboxChargeStore): PaymentProvider {
  return {
    name: 'sandbox',

    async charge({ key, member, amount, currency, receipt: given = '', source }) {
      const continued = source === undefined ? undefined : await charges.find({ reference: source });
      const receipt = continued?.receipt ?? given;
      const { purchase, renewal = 'paid', answerLost } = behaviorOf(receipt);
      const status = source === undefined ? purchase : renewal;
      const { charge, created } = await charges.book({
        key,
        reference: referenceOf(key),
        member,
        amount,
        currency,
        receipt,
        status,
        refunded: 0,
      });
      if (created && answerLost && source === undefined) throw unavailable(new Error('the answer was lost'));
      return asCharge(charge);
    },

    async find(key) {
      const found = await charges.find({ key });
      if (!found) return undefined;
      const { later, chargedBack } = behaviorOf(found.receipt);
      if (found.status === 'pending' && later) {
        await charges.setStatus(key, later);
        return asCharge({ ...found, status: later });
      }
      if (found.status === 'paid' && chargedBack && !found.refunded) {
        await charges.setRefunded(key, found.amount);
        return asCharge({ ...found, refunded: found.amount });
      }
      return asCharge(found);
    },

    async refund(key) {
      const found = await charges.find({ key });
      if (found?.status !== 'paid' || behaviorOf(found.receipt).disputed) return undefined;
      await charges.setRefunded(key, found.amount);
      return asCharge({ ...found, refunded: found.amount });
    },

    forget: (member) => charges.removeOf(member),
  };
}
