import type { Logger } from '@covalence/runtime/logger';
import { conflict, retryOnConflict } from '@covalence/runtime/retry-on-conflict';
import { followMemberships } from '../memberships/change-memberships.ts';
import { forgetMember, type Paying } from '../memberships/settle-payment.ts';
import { productOf } from '../prices/offers.ts';
import type { Store, StoreCharge, StoreName, StoreState } from '../stores/store.ts';
import type { Subscription, SubscriptionFacts, SubscriptionName } from '../stores/subscription-store.ts';

/** What happens when a member hands in the receipt of another member's subscription. */
export type ReceiptPolicy = 'refuse' | 'move';

/** Dependencies of following subscriptions. */
export interface Following extends Paying {
  readonly receiptPolicy: ReceiptPolicy;
  /** Whether members get what the store shares with their family. */
  readonly takesFamilySharing: boolean;
  readonly logger: Logger;
}

/** The result of following: the state that counts now, or why the subscription is nobody's. */
export type Followed =
  | { readonly outcome: 'followed'; readonly state: StoreState; readonly facts: SubscriptionFacts }
  | { readonly outcome: 'unknown' | 'unclaimed' | 'foreign' | 'shared' | 'unsold' };

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** How long after its end a subscription can be revived, or a refund of it be taken back. */
const watchedMs = 60 * dayMs;

/**
 * When a store is asked again about a subscription, whatever notifications say: at its end, at least daily, and for 60 days after
 * the end. Null after that.
 */
export function nextLook(
  { phase, expires_at }: Pick<SubscriptionFacts, 'phase' | 'expires_at'>,
  at: Date,
): Date | null {
  const end = expires_at.getTime();
  const now = at.getTime();
  if (phase === 'ended') return now < end + watchedMs ? new Date(now + dayMs) : null;
  // Its end has come, and the store has not renewed or ended it yet.
  const soon = phase === 'running' && end <= now ? now + 5 * minuteMs : now + dayMs;
  return new Date(end > now ? Math.min(end, soon) : soon);
}

/** The member of a subscription. A claim counts where nobody else has it, or where the policy lets it move. */
async function ownerOf(
  known: Subscription | undefined,
  { account, replaces }: StoreState,
  claimant: number | undefined,
  { accountTokens, receiptPolicy, subscriptions }: Following,
  store: StoreName,
): Promise<number | undefined | 'foreign'> {
  const named = account === undefined ? undefined : await accountTokens.memberOf(account);
  const replaced =
    replaces === undefined ? undefined : await subscriptions.find({ store, reference: replaces });
  const owner = known?.member ?? named ?? replaced?.member;
  if (claimant === undefined) return owner;
  return owner === undefined || owner === claimant || receiptPolicy === 'move' ? claimant : 'foreign';
}

/**
 * Books what the store charged, each charge once, and the difference between what it has given back and what is booked as given
 * back: a store can take a refund back.
 */
async function book(
  { store, reference }: SubscriptionName,
  state: StoreState,
  facts: SubscriptionFacts,
  { ledger, packageData, clock }: Following,
): Promise<void> {
  const nameOf = ({ id }: StoreCharge) => `${reference}:${id}`;
  const lines = Map.groupBy(
    await ledger.ofReferences(store, state.charges.map(nameOf)),
    (line) => line.reference,
  );
  for (const [index, charge] of state.charges.entries()) {
    const name = nameOf(charge);
    const booked = lines.get(name) ?? [];
    const { package_id, rate_id } = productOf(packageData, state.app, charge.product) ?? facts;
    const { currency, refund } = charge;
    const line = {
      member: facts.member,
      currency,
      package_id,
      rate_id,
      provider: store,
      reference: name,
    };
    const kind = index === 0 ? ('purchase' as const) : ('renewal' as const);
    if (!booked.some((one) => one.kind !== 'refund'))
      await ledger.append({
        id: `${store}:${name}:charge`,
        kind,
        ...line,
        amount: charge.amount,
        at: charge.at,
      });
    const refunds = booked.filter((one) => one.kind === 'refund');
    const due = (refund?.amount ?? 0) + refunds.reduce((sum, { amount }) => sum + amount, 0);
    if (!due) continue;
    const id = `${store}:${name}:refund:${refunds.length}`;
    await ledger.append({ id, kind: 'refund', ...line, amount: -due, at: refund?.at ?? clock() });
  }
}

/**
 * Asks a store about a subscription and applies the answer to the subscription, the ledger and the memberships, in this order. Each
 * step can be repeated, and an answer never replaces that to a later question: so it does not matter who asks, in which order or how
 * often. `claimant` is the member who hands in a receipt. Throws if the store is unavailable; it is then asked again in a minute.
 */
export async function followSubscription(
  store: Store,
  reference: string,
  following: Following,
  claimant?: number,
): Promise<Followed> {
  const { subscriptions, accountTokens, packageData, clock } = following;
  const name = { store: store.name, reference };
  const soon = () => new Date(clock().getTime() + minuteMs);
  if (claimant !== undefined) await accountTokens.of(claimant);
  return retryOnConflict('subscriptions', async () => {
    const question = await subscriptions.question(name, soon());
    const { known } = question;
    const nobodys = async (outcome: Exclude<Followed['outcome'], 'followed'>): Promise<Followed> => {
      if (known) await subscriptions.settle(name, question, nextLook(known, clock()));
      return { outcome };
    };
    const state = await store.ask(reference);
    if (!state) return nobodys('unknown');
    if (state.isShared && !following.takesFamilySharing) return nobodys('shared');
    const member = await ownerOf(known, state, claimant, following, store.name);
    if (member === undefined) return nobodys('unclaimed');
    if (member === 'foreign') return nobodys('foreign');
    const sold = productOf(packageData, state.app, state.product) ?? known;
    if (!sold) return nobodys('unsold');
    const { package_id, rate_id } = sold;
    const { phase, started_at, expires_at, autorenew, currency } = state;
    const facts = { member, package_id, rate_id, phase, started_at, expires_at, autorenew, currency };
    const isClaim = claimant !== undefined;
    const members = await subscriptions.answer(name, question, facts, { look_at: soon(), isClaim });
    if (!members) return conflict;
    await book(name, state, facts, following);
    await followMemberships(following, members, clock());
    if (state.isUnacknowledged) await store.acknowledge?.(reference, state.product);
    if (state.replaces !== undefined && !known) await followSubscription(store, state.replaces, following);
    // The member may have been erased since the token was read.
    if (!(await accountTokens.has(member))) await forgetMember(member, following);
    await subscriptions.settle(name, question, nextLook(facts, clock()));
    return { outcome: 'followed', state, facts };
  });
}
