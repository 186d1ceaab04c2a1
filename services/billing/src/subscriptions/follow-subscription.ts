import type { Logger } from '@covalence/runtime/logger';
import { conflict, retryOnConflict } from '@covalence/runtime/retry-on-conflict';
import { followMemberships } from '../memberships/change-memberships.ts';
import { forgetMember, type Paying } from '../memberships/settle-payment.ts';
import { productOf } from '../prices/offers.ts';
import type { RoundStore } from '../stores/round-store.ts';
import type { Store, StoreName, StoreState } from '../stores/store.ts';
import type {
  Question,
  Subscription,
  SubscriptionFacts,
  SubscriptionName,
} from '../stores/subscription-store.ts';
import { nextLook } from './next-look.ts';
import { settleQuestion, tellWish, type WishOutcome } from './tell-wish.ts';

/** The answer to a member who hands in the receipt of another member's subscription. */
export type ReceiptPolicy = 'refuse' | 'move';

/** Dependencies of following subscriptions. */
export interface Following extends Paying {
  readonly receiptPolicy: ReceiptPolicy;
  /** Whether members get what the store shares with their family. */
  readonly takesFamilySharing: boolean;
  readonly rounds: RoundStore;
  readonly logger: Logger;
}

/** The result of following: the state that counts now, or why the subscription is nobody's. */
export type Followed =
  | {
      readonly outcome: 'followed';
      readonly state: StoreState;
      readonly member: number;
      readonly wish: WishOutcome;
    }
  | { readonly outcome: 'unknown' | 'unwanted' | 'unclaimed' | 'foreign' | 'shared' | 'unsold' };

/** A receipt that a member hands in. */
export interface Claim {
  readonly member: number;
  /** Whether it is what the member meant to buy. */
  readonly isWanted: (state: StoreState) => boolean;
}

/** A question whose work was interrupted is asked again after this time, ms. */
const soonMs = 60_000;

/**
 * The member of a subscription as the store has it: who its latest purchase names, else who has it, or has the one that it replaced.
 */
async function ownerOf(
  known: Subscription | undefined,
  { account, replaces }: StoreState,
  { accountTokens, subscriptions }: Following,
  store: StoreName,
): Promise<number | undefined> {
  // A claim counts until another purchase names somebody.
  if (known && known.account === account) return known.member;
  const named = account === undefined ? undefined : await accountTokens.memberOf(account);
  if (named !== undefined || known) return named ?? known?.member;
  return replaces === undefined
    ? undefined
    : (await subscriptions.find({ store, reference: replaces }))?.member;
}

/**
 * Books what the store charged, each charge once, and the difference between what it has given back and what is booked as given
 * back: a store can take a refund back. A refund is booked for the member who was charged.
 */
async function book(
  name: SubscriptionName,
  question: Question,
  state: StoreState,
  facts: SubscriptionFacts,
  { ledger, packageData, subscriptions, clock }: Following,
): Promise<void> {
  const ids = state.charges.map(({ id }) => id);
  await retryOnConflict('the ledger', async () => {
    const lines = Map.groupBy(await ledger.ofReferences(name.store, ids), (line) => line.reference);
    for (const [index, charge] of state.charges.entries()) {
      const booked = lines.get(charge.id) ?? [];
      const [first] = booked.filter((one) => one.kind !== 'refund');
      const { package_id, rate_id } = productOf(packageData, state.app, charge.product) ?? facts;
      const { currency, refund } = charge;
      const member = first?.member ?? facts.member;
      const line = { member, currency, package_id, rate_id, provider: name.store, reference: charge.id };
      const id = `${name.store}:${charge.id}`;
      const kind = index === 0 ? ('purchase' as const) : ('renewal' as const);
      if (!first)
        await ledger.append({ id: `${id}:charge`, kind, ...line, amount: charge.amount, at: charge.at });
      const refunds = booked.filter((one) => one.kind === 'refund');
      const due = (refund?.amount ?? 0) + refunds.reduce((sum, { amount }) => sum + amount, 0);
      if (!due) continue;
      // The next question books the refund, or has booked it.
      if (!(await subscriptions.stands(name, question))) return undefined;
      const refundId = `${id}:refund:${refunds.length}`;
      const at = refund?.at ?? clock();
      if (!(await ledger.append({ id: refundId, kind: 'refund', ...line, amount: -due, at })))
        return conflict;
    }
    return undefined;
  });
}

/** The rate that the next renewal buys, where it is another one. */
function nextOf(
  { app, next }: StoreState,
  { rate_id }: SubscriptionFacts['next'] & object,
  packageData: Following['packageData'],
): SubscriptionFacts['next'] {
  const planned = next === undefined ? undefined : productOf(packageData, app, next);
  return planned && planned.rate_id !== rate_id ? planned : null;
}

/**
 * Keeps the customer of a subscription, as the member's own where it runs and renews. Where that was bought in an app, the member is
 * not to pay on the web, too: the page there is closed, and what renews there is asked about, which ends it.
 */
async function settleCustomer(
  { name, web }: Store,
  { customer, phase, autorenew }: StoreState,
  member: number,
  { customers, subscriptions, clock }: Following,
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

/** Why a store is asked, where it is not time to. */
interface Reason {
  readonly claim?: Claim;
  readonly notified_at?: Date;
}

/** Asks once, and applies the answer. */
async function follow(
  store: Store,
  reference: string,
  following: Following,
  { claim, notified_at }: Reason,
): Promise<Followed> {
  const { subscriptions, accountTokens, packageData, receiptPolicy, clock } = following;
  const name = { store: store.name, reference };
  const soon = () => new Date(clock().getTime() + soonMs);
  if (claim) await accountTokens.of(claim.member);

  /** Leaves a subscription as it is, or ends it where the store no longer has it for its member. */
  const leave = async (
    outcome: Exclude<Followed['outcome'], 'followed'>,
    question: Question,
  ): Promise<Followed> => {
    const { known } = question;
    if (!known) return { outcome };
    const isOver = outcome === 'shared' || (outcome === 'unknown' && known.expires_at <= clock());
    const ended = { phase: 'ended' as const, autorenew: false };
    if (isOver && known.phase !== 'ended') {
      const { started_at, expires_at, package_id, rate_id, currency } = known;
      const facts = { started_at, expires_at, package_id, rate_id, currency, next: null, ...ended };
      await subscriptions.answer(name, question, facts, soon());
      await followMemberships(following, [known.member], clock());
    }
    const facts = isOver ? { ...known, ...ended } : known;
    await subscriptions.settle(name, question, nextLook(facts, clock(), known.notified_at));
    return { outcome };
  };

  return retryOnConflict('subscriptions', async () => {
    const question = await subscriptions.question(name, soon(), notified_at);
    const { known } = question;
    const told = await tellWish(store, known, following);
    const state = told.state ?? (await store.ask(reference));
    if (!state) return leave('unknown', question);
    if (state.isShared && !following.takesFamilySharing) return leave('shared', question);
    if (claim && !claim.isWanted(state)) return leave('unwanted', question);
    const owner = await ownerOf(known, state, following, store.name);
    if (claim && owner !== undefined && owner !== claim.member && receiptPolicy === 'refuse')
      return leave('foreign', question);
    const member = claim?.member ?? owner;
    if (member === undefined) return leave('unclaimed', question);
    const sold = productOf(packageData, state.app, state.product) ?? known;
    if (!sold) return leave('unsold', question);
    const { package_id, rate_id } = sold;
    const { account, phase, started_at, expires_at, autorenew, currency } = state;
    const facts = {
      account,
      package_id,
      rate_id,
      next: nextOf(state, sold, packageData),
      phase,
      started_at,
      expires_at,
      autorenew,
      currency,
      is_shared: state.isShared,
      is_test: state.isTest,
    };
    const touched = new Set([member]);
    let stands = true;

    if (known) {
      if (claim) {
        const former = await subscriptions.claim(name, member);
        if (former === undefined) return conflict;
        touched.add(former);
      }
      const names = account === known.account ? facts : { ...facts, member };
      const before = await subscriptions.answer(name, question, names, soon());
      stands = before !== undefined;
      if (before) touched.add(before.member);
    } else if (!(await subscriptions.create(name, { ...facts, member }, soon(), notified_at)))
      return conflict;

    if (stands) await book(name, question, state, { ...facts, member }, following);
    await followMemberships(following, [...touched], clock());
    if (stands) await settleCustomer(store, state, member, following);
    if (state.replaces !== undefined) {
      const replaced = await subscriptions.find({ store: store.name, reference: state.replaces });
      if (replaced && replaced.phase !== 'ended') await followSubscription(store, state.replaces, following);
    }
    // The member may have been erased since the token was read.
    if ((await accountTokens.find(member)) === undefined) await forgetMember(member, following);
    if (await isFinished(store, name, question, state, following)) {
      const isToldNow = told.wish === 'waits' && phase !== 'pending';
      const look = isToldNow ? clock() : nextLook(facts, clock(), notified_at ?? known?.notified_at);
      await settleQuestion(name, question, told.wish, look, following);
    }
    return { outcome: 'followed', state, member, wish: told.wish };
  });
}

/**
 * Asks a store about a subscription and applies the answer to the subscription, the ledger and the memberships, in this order. Each
 * step can be repeated, and an answer never replaces that to a later question: so it does not matter who asks, in which order or how
 * often. Throws if the store is unavailable; it is then asked again in a minute.
 */
export async function followSubscription(
  store: Store,
  reference: string,
  following: Following,
  reason: Reason = {},
): Promise<Followed> {
  const count = (outcome: string) => following.metrics.storeAnswers.inc({ store: store.name, outcome });
  try {
    const followed = await follow(store, reference, following, reason);
    count(followed.outcome);
    return followed;
  } catch (error) {
    count('failed');
    throw error;
  }
}

/**
 * Tells the store what follows from its state, where it waits for that and is not asked again already; false if it is to be tried
 * again, in a minute.
 */
async function isFinished(
  store: Store,
  name: SubscriptionName,
  question: Question,
  { isUnfinished, product }: StoreState,
  { subscriptions, logger }: Following,
): Promise<boolean> {
  if (!isUnfinished || !(await subscriptions.stands(name, question))) return true;
  try {
    await store.finish?.(name.reference, product);
    return true;
  } catch (error) {
    logger.warn({ err: error, store: store.name }, 'finishing a purchase at its store failed: will retry');
    return false;
  }
}
