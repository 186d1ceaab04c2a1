import type { Money } from '../ledger/money.ts';

/** Stores whose subscriptions renew by themselves. */
export const storeNames = ['app_store', 'google_play'] as const;

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
  /** What the store has given back of it. */
  readonly refund?: { readonly amount: Money; readonly at: Date } | undefined;
}

/** What a store says of a subscription. */
export interface StoreState {
  /** The token that the app gave the store with the purchase, which names the member. */
  readonly account?: string | undefined;
  /** The app it was bought in, as the package data names it. */
  readonly app: string;
  readonly product: string;
  /** The product from the next renewal on, where it changes. */
  readonly next?: string | undefined;
  /**
   * `running` until `expires_at`, also in the store's grace period; `waiting` while the store tries to charge or the member has
   * paused; `pending` before the first payment; `ended` once it has expired or was revoked.
   */
  readonly phase: 'running' | 'waiting' | 'pending' | 'ended';
  readonly started_at: Date;
  /** The end of what is paid for or granted, the grace period included. */
  readonly expires_at: Date;
  readonly autorenew: boolean;
  /** Whether the store shares another person's purchase with its family. */
  readonly isShared: boolean;
  readonly currency: string;
  /** Every payment so far, oldest first. */
  readonly charges: readonly StoreCharge[];
  /** The subscription that this one has replaced, by an upgrade for example: it is its member's. */
  readonly replaces?: string;
  /** Whether the store waits for an acknowledgement that the purchase was taken. */
  readonly isUnacknowledged?: true;
}

/** A notification as it arrived. */
export interface StoreNotification {
  readonly body: Buffer;
  readonly authorization: string | undefined;
}

/**
 * A store. What it answers to `ask` is all that counts: receipts and notifications only name a subscription. Calls throw if the store
 * is unavailable.
 */
export interface Store {
  readonly name: StoreName;
  /** The platforms of the apps that it sells in, as the package data names them. */
  readonly platforms: readonly string[];
  /** Where members manage their subscriptions. */
  readonly manageUrl: string;
  /** The subscription that a receipt of an app names; undefined if it is not genuine or not of a listed app. */
  read(receipt: string, app_id: string | undefined): Promise<string | undefined>;
  /** The present state of a subscription; undefined if the store does not know it. */
  ask(reference: string): Promise<StoreState | undefined>;
  /** Tells the store that a purchase was taken; one that does not ask for that has no such call. Idempotent. */
  acknowledge?(reference: string, product: string): Promise<void>;
  /** Checks a notification. Resolves with the subscription it is about, null if it is about none, undefined if it is not genuine. */
  notified(notification: StoreNotification): Promise<string | null | undefined>;
  /** The subscriptions of notifications between two times that did not arrive, app by app: one that fails must not stop the others. */
  missed(since: Date, until: Date): readonly AsyncIterable<string>[];
}
