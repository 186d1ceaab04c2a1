import type { Logger } from '@covalence/runtime/logger';
import { conflict, retryOnConflict } from '@covalence/runtime/retry-on-conflict';
import { refreshMemberships } from '../memberships/change-memberships.ts';
import { forgetMember, type PaymentContext } from '../memberships/settle-payment.ts';
import { productOf } from '../prices/offers.ts';
import type { RoundStore } from '../stores/round-store.ts';
import type { Store, StoreState } from '../stores/store.ts';
import type { StoreQuery, SubscriptionFacts, SubscriptionName } from '../stores/subscription-store.ts';
import { bookCharges } from './book-charges.ts';
import { nextQueryAt } from './next-query.ts';
import { scheduleNextQuery, switchRequestedRenewal, type SwitchOutcome } from './switch-renewal.ts';

/** The answer to a member who hands in the receipt of another member's subscription. */
export type ReceiptPolicy = 'refuse' | 'move';

/** Dependencies of synchronizing subscriptions. */
export interface SyncContext extends PaymentContext {
  readonly receiptPolicy: ReceiptPolicy;
  /** Whether members get what the store shares with their family. */
  readonly takesFamilySharing: boolean;
  readonly rounds: RoundStore;
  readonly logger: Logger;
}

/** Why a subscription is nobody's. */
type Unassigned = 'unknown' | 'unwanted' | 'unclaimed' | 'foreign' | 'shared' | 'unsold';

/** The result: the state that counts now, or why the subscription is nobody's. */
export type SyncResult =
  | {
      readonly outcome: 'followed';
      readonly state: StoreState;
      readonly member: number;
      /** The result of the requested switch of renewal. */
      readonly switched: SwitchOutcome;
    }
  | { readonly outcome: Unassigned };

/** A receipt that a member hands in. */
export interface Claim {
  readonly member: number;
  /** Whether it is what the member meant to buy. */
  readonly isWanted: (state: StoreState) => boolean;
}

/** Why a store is queried before it is time to. */
interface Trigger {
  readonly claim?: Claim;
  readonly notified_at?: Date;
}

/** One query of a store about a subscription. */
interface Syncing {
  readonly store: Store;
  readonly name: SubscriptionName;
  readonly query: StoreQuery;
}

/** A query whose work was interrupted is repeated after this time, ms. */
const retryMs = 60_000;

const retryAt = ({ clock }: SyncContext) => new Date(clock().getTime() + retryMs);

/**
 * The member of a subscription as the store has it: who its latest purchase names, else who has it, or has the one that it replaced.
 */
async function ownerOf(
  { account, replaces }: StoreState,
  { store, query: { known } }: Syncing,
  { accountTokens, subscriptions }: SyncContext,
): Promise<number | undefined> {
  // A claim counts until another purchase names somebody.
  if (known && known.account === account) return known.member;
  const named = account === undefined ? undefined : await accountTokens.memberOf(account);
  if (named !== undefined || known) return named ?? known?.member;
  return replaces === undefined
    ? undefined
    : (await subscriptions.find({ store: store.name, reference: replaces }))?.member;
}

/** The rate that the next renewal buys, where it is another one. */
function nextOf(
  { app, next }: StoreState,
  { rate_id }: SubscriptionFacts['next'] & object,
  packageData: SyncContext['packageData'],
): SubscriptionFacts['next'] {
  const planned = next === undefined ? undefined : productOf(packageData, app, next);
  return planned && planned.rate_id !== rate_id ? planned : null;
}

/** The facts of a subscription by the state at its store, with its member; or why it is nobody's. */
async function assign(
  state: StoreState,
  syncing: Syncing,
  claim: Claim | undefined,
  context: SyncContext,
): Promise<SubscriptionFacts | Unassigned> {
  const { packageData, receiptPolicy, takesFamilySharing } = context;
  if (state.isShared && !takesFamilySharing) return 'shared';
  if (claim && !claim.isWanted(state)) return 'unwanted';
  const owner = await ownerOf(state, syncing, context);
  if (claim && owner !== undefined && owner !== claim.member && receiptPolicy === 'refuse') return 'foreign';
  const member = claim?.member ?? owner;
  if (member === undefined) return 'unclaimed';
  const sold = productOf(packageData, state.app, state.product) ?? syncing.query.known;
  if (!sold) return 'unsold';
  const { package_id, rate_id } = sold;
  const { account, phase, started_at, expires_at, autorenew, currency, isShared, isTest } = state;
  return {
    member,
    account,
    package_id,
    rate_id,
    next: nextOf(state, sold, packageData),
    phase,
    started_at,
    expires_at,
    autorenew,
    currency,
    is_shared: isShared,
    is_test: isTest,
  };
}

/** Leaves a subscription as it is, or ends it where the store no longer has it for its member. */
async function leave(
  outcome: Unassigned,
  { name, query }: Syncing,
  context: SyncContext,
): Promise<SyncResult> {
  const { subscriptions, clock } = context;
  const { known } = query;
  if (!known) return { outcome };
  const isOver = outcome === 'shared' || (outcome === 'unknown' && known.expires_at <= clock());
  const ended = { phase: 'ended' as const, autorenew: false };
  if (isOver && known.phase !== 'ended') {
    const { started_at, expires_at, package_id, rate_id, currency } = known;
    const facts = { started_at, expires_at, package_id, rate_id, currency, next: null, ...ended };
    await subscriptions.answer(name, query, facts, retryAt(context));
    await refreshMemberships(context, [known.member], clock());
  }
  const facts = isOver ? { ...known, ...ended } : known;
  await subscriptions.settle(name, query, nextQueryAt(facts, clock(), known.notified_at));
  return { outcome };
}

/**
 * Stores the facts. Resolves with the former owners, whose memberships change too, and whether these facts are the latest: the answer
 * to a later query stands.
 */
async function storeFacts(
  facts: SubscriptionFacts,
  { name, query }: Syncing,
  { claim, notified_at }: Trigger,
  context: SyncContext,
): Promise<{ readonly former: readonly number[]; readonly isLatest: boolean } | typeof conflict> {
  const { subscriptions } = context;
  const { known } = query;
  if (!known) {
    const isCreated = await subscriptions.create(name, facts, retryAt(context), notified_at);
    return isCreated ? { former: [], isLatest: true } : conflict;
  }
  const claimedFrom = claim && (await subscriptions.claim(name, facts.member));
  if (claim && claimedFrom === undefined) return conflict;
  const { member: _member, ...rest } = facts;
  const changed = facts.account === known.account ? rest : facts;
  const before = await subscriptions.answer(name, query, changed, retryAt(context));
  const former = [claimedFrom, before?.member].filter((member) => member !== undefined);
  return { former, isLatest: before !== undefined };
}

/**
 * Keeps the customer of a subscription, as the member's own where it runs and renews. Where that was bought in an app, the member is
 * not to pay on the web, too: the page there is closed, and what renews there is asked about, which ends it.
 */
async function settleCustomer(
  { name, web }: Store,
  { customer, phase, autorenew }: StoreState,
  member: number,
  { customers, subscriptions, clock }: SyncContext,
): Promise<void> {
  const isRenewed = autorenew && (phase === 'running' || phase === 'postponed');
  if (customer !== undefined) await customers[isRenewed ? 'adopt' : 'keep'](name, member, customer);
  if (web || !isRenewed) return;
  const onWeb = new Set((await customers.of(member)).map(({ store }) => store));
  if (!onWeb.size) return;
  await customers.setClosing(member, 'bought');
  for (const one of await subscriptions.findOf([member]))
    if (onWeb.has(one.store) && one.phase !== 'ended' && one.autorenew)
      await subscriptions.hasten(one, clock());
}

/**
 * Tells the store what follows from its state, where it waits for that and is not asked again already; false if it is to be tried
 * again, in a minute.
 */
async function isFinished(
  { isUnfinished, product }: StoreState,
  { store, name, query }: Syncing,
  { subscriptions, logger }: SyncContext,
): Promise<boolean> {
  if (!isUnfinished || !(await subscriptions.isLatest(name, query))) return true;
  try {
    await store.finish?.(name.reference, product);
    return true;
  } catch (error) {
    logger.warn({ err: error, store: store.name }, 'finishing a purchase at its store failed: will retry');
    return false;
  }
}

/** Queries once, and applies the answer. */
async function queryAndApply(
  store: Store,
  reference: string,
  context: SyncContext,
  trigger: Trigger,
): Promise<SyncResult | typeof conflict> {
  const { subscriptions, accountTokens, clock } = context;
  const { claim, notified_at } = trigger;
  const name = { store: store.name, reference };
  const query = await subscriptions.beginQuery(name, retryAt(context), notified_at);
  const syncing = { store, name, query };
  const renewal = await switchRequestedRenewal(store, query.known, context);
  const state = renewal.state ?? (await store.ask(reference));
  if (!state) return leave('unknown', syncing, context);
  const facts = await assign(state, syncing, claim, context);
  if (typeof facts === 'string') return leave(facts, syncing, context);
  const stored = await storeFacts(facts, syncing, trigger, context);
  if (stored === conflict) return conflict;
  const { member, phase } = facts;

  if (stored.isLatest) await bookCharges(name, query, state, facts, context);
  await refreshMemberships(context, [...new Set([member, ...stored.former])], clock());
  if (stored.isLatest) await settleCustomer(store, state, member, context);
  if (state.replaces !== undefined) {
    const replaced = await subscriptions.find({ store: store.name, reference: state.replaces });
    if (replaced && replaced.phase !== 'ended') await syncSubscription(store, state.replaces, context);
  }
  // The member may have been erased since the token was read.
  if ((await accountTokens.find(member)) === undefined) await forgetMember(member, context);
  const { switched } = renewal;
  if (await isFinished(state, syncing, context)) {
    const isSwitchedNow = switched === 'waits' && phase !== 'pending';
    const regular = () => nextQueryAt(facts, clock(), notified_at ?? query.known?.notified_at);
    await scheduleNextQuery(name, query, switched, isSwitchedNow ? clock() : regular(), context);
  }
  return { outcome: 'followed', state, member, switched };
}

/**
 * Queries a store about a subscription and applies the answer to the subscription, the ledger and the memberships, in this order. Each
 * step can be repeated, and an answer never replaces that to a later query: so it does not matter who queries, in which order or how
 * often. Throws if the store is unavailable; it is then queried again in a minute.
 */
export async function syncSubscription(
  store: Store,
  reference: string,
  context: SyncContext,
  trigger: Trigger = {},
): Promise<SyncResult> {
  const count = (outcome: string) => context.metrics.storeAnswers.inc({ store: store.name, outcome });
  try {
    if (trigger.claim) await context.accountTokens.of(trigger.claim.member);
    const result = await retryOnConflict('subscriptions', () =>
      queryAndApply(store, reference, context, trigger),
    );
    count(result.outcome);
    return result;
  } catch (error) {
    count('failed');
    throw error;
  }
}
