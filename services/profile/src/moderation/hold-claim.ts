import { Failure } from '@covalence/contract/failure';
import type { Caller } from '@covalence/http/endpoint';
import type { WaitingKind } from '../members/document/account-status.ts';
import type { Member } from '../members/document/member.ts';
import type { EntryName } from './store/claim-store.ts';
import type { ModerationContext } from './moderation.ts';

/** Duration of a claim without activity. */
const claimMs = 5 * 60_000;

/** The times of a claim that is made or extended now. */
export function claimTimes({ clock }: ModerationContext): { readonly now: Date; readonly until: Date } {
  const now = clock();
  return { now, until: new Date(now.getTime() + claimMs) };
}

/** 409: somebody else works on it. */
export const claimed = (): Failure => new Failure(409, 'Claimed');

/** Throws 409 for a decision on an entry that somebody else has claimed. One that nobody has claimed can be decided. */
export async function requireUnclaimed(
  context: ModerationContext,
  entry: Pick<EntryName, 'kind' | 'key'>,
  { memberId }: Pick<Caller, 'memberId'>,
): Promise<void> {
  const claim = await context.moderation.claims.find(entry, context.clock());
  if (claim && claim.staff !== memberId) throw claimed();
}

/** After a decision: ends the claim of an entry that waits no longer, and extends that of one that still does. */
export async function settleClaim(
  context: ModerationContext,
  kind: WaitingKind,
  { _id: key, waiting }: Member,
  { memberId }: Pick<Caller, 'memberId'>,
): Promise<void> {
  const { now, until } = claimTimes(context);
  const entry = { kind, key };
  if (waiting?.[kind]) await context.moderation.claims.extend(entry, memberId, until, now);
  else await context.moderation.claims.end(entry);
}
