import type { Money } from '../ledger/money.ts';

/** What a provider is asked to charge. */
export interface ChargeRequest {
  /** Identifies the payment on both sides: the same key never charges twice. */
  readonly key: string;
  readonly member: number;
  /** Minor units; 0 for a free trial, which only sets up what renewals are charged to. */
  readonly amount: Money;
  readonly currency: string;
  /** What the client got from the store or payment page; a purchase without one charges what the provider has on file. */
  readonly receipt?: string | undefined;
  /** For a renewal: the reference of the purchase that it continues. */
  readonly source?: string | undefined;
}

/** A charge as the provider has it now. */
export interface Charge {
  readonly key: string;
  /** The provider's own name for it. */
  readonly reference: string;
  readonly status: 'pending' | 'paid' | 'declined';
  /** Minor units given back so far. */
  readonly refunded: Money;
}

/**
 * Who takes the money. Every call may be repeated without harm and throws when the provider cannot be reached; what it
 * says of a charge is the truth, whatever a web-hook claims.
 */
export interface PaymentProvider {
  /** As it stands in the ledger and in the path of its web-hooks. */
  readonly name: string;
  charge(request: ChargeRequest): Promise<Charge>;
  find(key: string): Promise<Charge | undefined>;
  /** Gives a paid charge back in full. */
  refund(key: string): Promise<Charge | undefined>;
  /** Asks to forget who an erased member was, as far as the provider's own duties allow. Idempotent. */
  forget(member: number): Promise<void>;
}
