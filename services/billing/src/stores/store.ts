import type { Money } from '../ledger/money.ts';
import type { Platform, Price } from '../prices/package-data.ts';

/** Stores whose subscriptions renew by themselves. */
export const storeNames = ['app_store', 'google_play', 'stripe'] as const;

/** The name of a store in the setting, the ledger and the path of its webhook. */
export type StoreName = (typeof storeNames)[number];

/** One payment of a subscription, as the store has it. */
export interface StoreCharge {
  /** The store's id of the transaction. */
  readonly id: string;
  /** As `storeProduct` names it. */
  readonly product: string;
  readonly amount: Money;
  /** ISO 4217 */
  readonly currency: string;
  readonly at: Date;
  /** The amount that the store has refunded. */
  readonly refund?: { readonly amount: Money; readonly at: Date } | undefined;
}

/** Phases of a subscription; only one that is `running` gives a membership. */
export const phases = ['running', 'waiting', 'pending', 'postponed', 'ended'] as const;

export type Phase = (typeof phases)[number];

/** The state of a subscription at its store. */
export interface StoreState {
  /** The token that the app gave the store with the purchase, which names the member. */
  readonly account?: string | undefined;
  /** The customer who pays, where the service is the seller. */
  readonly customer?: string | undefined;
  /** The app it was bought in, as the package data names it. */
  readonly app: string;
  readonly product: string;
  /** The product from the next renewal on, where it changes. */
  readonly next?: string | undefined;
  /**
   * `running` until `expires_at`, also in the store's grace period; `waiting` while the store tries to charge or the member has
   * paused; `pending` before the first payment; `postponed` where that is due at `expires_at`, the end of what the member had;
   * `ended` once it has expired or was revoked.
   */
  readonly phase: Phase;
  readonly started_at: Date;
  /** The end of what is paid for or granted, the grace period included. */
  readonly expires_at: Date;
  readonly autorenew: boolean;
  /** Whether the store shares another person's purchase with its family. */
  readonly isShared: boolean;
  /** Whether it is a tester's, who pays nothing. */
  readonly isTest: boolean;
  readonly currency: string;
  /** Every payment so far, oldest first. */
  readonly charges: readonly StoreCharge[];
  /** The subscription that this one has replaced, by an upgrade for example: it is its member's. */
  readonly replaces?: string;
  /** Whether the service notifies the store of what follows: that the purchase was taken, or that what was paid back is not to renew. */
  readonly isUnfinished?: true;
}

/** A notification as it arrived. */
export interface StoreNotification {
  readonly body: Buffer;
  readonly header: (name: string) => string | undefined;
  readonly at: Date;
}

/** An order on a page of the store. */
export interface CheckoutOrder extends Price {
  /** The customer whose entries the page shows; without it, the store creates a new customer. */
  readonly customer?: string | undefined;
  /** The token that names the member. */
  readonly account: string;
  readonly product: string;
  /** Days of a period. */
  readonly days: number;
  readonly offer?: string | undefined;
  readonly success_url: string;
  readonly cancel_url: string;
  /** When the first payment is due: what the member has until then is not paid twice. */
  readonly begins?: Date | undefined;
}

/** A page of the store on which one order is paid. */
export interface Checkout {
  readonly id: string;
  readonly status: 'open' | 'complete' | 'expired';
  /** The address of the page while it is open. */
  readonly url: string | undefined;
  /** The subscription, once it is complete. */
  readonly reference: string | undefined;
  readonly amount: Money;
  readonly currency: string;
}

/** Calls to a store at which the service is the seller. They are idempotent. */
export interface WebShop {
  /** The name by which the package data has its products. */
  readonly app: string;
  /** Creates the customer of a member; `replaces` is one that the store no longer has. */
  createCustomer(account: string, replaces?: string): Promise<string>;
  /** Undefined if the store no longer has the customer. */
  startCheckout(order: CheckoutOrder): Promise<Checkout | undefined>;
  checkout(id: string): Promise<Checkout | undefined>;
  /** Closes a page, so that nobody can pay on it, and resolves with what it is then: one that is complete or in use stays. */
  closeCheckout(id: string): Promise<Checkout | undefined>;
  /** The address of the page where a customer manages subscriptions; undefined if the store no longer has the customer. */
  portal(customer: string, return_url: string): Promise<string | undefined>;
  /**
   * Switches renewal on or off, and resolves with the state then. Switched off while a payment is due, the subscription ends at once.
   * `refused` if the store does not let anybody but the customer do that.
   */
  switchRenewal(reference: string, autorenew: boolean): Promise<StoreState | 'refused' | undefined>;
  /** Closes a page and deletes a customer, also one of who paid on the page, which ends the subscriptions at once. */
  forget(customer: string, page?: string): Promise<void>;
}

/**
 * A store. Only its response to `ask` counts: receipts and notifications only name a subscription. Calls
 * throw if the store is unavailable.
 */
export interface Store {
  readonly name: StoreName;
  /** The platforms that it sells on, as the package data names them. */
  readonly platforms: readonly Platform[];
  /** The address at which members manage their subscriptions; null if each member needs their own. */
  readonly manageUrl: string | null;
  /** The subscription that a receipt of an app names; undefined if it is not genuine or not of a listed app. */
  read?(receipt: string, app_id: string | undefined): Promise<string | undefined>;
  /** Present where the service itself sells. */
  readonly web?: WebShop;
  /** The present state of a subscription; undefined if the store does not know it. */
  ask(reference: string): Promise<StoreState | undefined>;
  /** Tells the store what follows from an unfinished state. Idempotent. */
  finish?(reference: string, product: string): Promise<void>;
  /** Checks a notification. Resolves with the subscription it is about, null if it is about none, undefined if it is not genuine. */
  notified(notification: StoreNotification): Promise<string | null | undefined>;
  /** The subscriptions of notifications between two times that did not arrive, app by app: one that fails must not stop the others. */
  missed(since: Date, until: Date): readonly AsyncIterable<string>[];
}
