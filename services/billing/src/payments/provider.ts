import type { Money } from '../ledger/money.ts';

/** A charge to make. */
export interface ChargeRequest {
  /** Identifies the payment on both sides: the same key never charges twice. */
  readonly key: string;
  readonly member: number;
  /** Minor units; 0 for a free trial, which only stores the payment method for renewals. */
  readonly amount: Money;
  readonly currency: string;
  /** From the store or payment page; without one the provider charges the payment method on file. */
  readonly receipt?: string | undefined;
  /** For a renewal: the reference of the purchase that it continues. */
  readonly source?: string | undefined;
}

/** The current state of a charge at the provider. */
export interface Charge {
  readonly key: string;
  /** The provider's own id. */
  readonly reference: string;
  readonly status: 'pending' | 'paid' | 'declined';
  /** Refunded minor units so far. */
  readonly refunded: Money;
}

/** A payment provider. Every call is idempotent and throws if the provider is unavailable. Its state of a charge is authoritative. */
export interface PaymentProvider {
  /** Its name in the ledger and in the path of its webhooks. */
  readonly name: string;
  charge(request: ChargeRequest): Promise<Charge>;
  find(key: string): Promise<Charge | undefined>;
  /** Refunds a paid charge in full. */
  refund(key: string): Promise<Charge | undefined>;
  /** Requests the deletion of a member's personal data, as far as the provider's legal duties allow. Idempotent. */
  forget(member: number): Promise<void>;
}
