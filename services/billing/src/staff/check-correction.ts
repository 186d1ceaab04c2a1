import { Failure } from '@covalence/contract/failure';
import { normalizedText } from '@covalence/contract/normalized-text';
import { booleanParameter, wholeNumber } from '@covalence/contract/parameters';
import { z } from 'zod';
import type { SubscriptionsContext as Context } from '../subscriptions/subscriptions.ts';
import type { LedgerEntry } from '../ledger/ledger-store.ts';
import { isManagedByStore, type Membership } from '../memberships/membership.ts';
import { soldRate } from '../prices/package-data.ts';
import { memberInPath, siteOf } from './membership-report.ts';

/** Latest end that staff may set, years ahead. */
const longestYears = 2;

/** Tolerance for a client's clock, ms. */
const clockSkewMs = 60_000;

/** A time, or `now`; one string type for generated clients. */
const end = z
  .string()
  .refine((text) => text === 'now' || z.iso.datetime().safeParse(text).success)
  .transform((text) => (text === 'now' ? text : new Date(text)));

/** Parameters of a correction. `refund` is the key of the payment to refund, from the ledger. */
export const correctionParameters = z.object({
  member: memberInPath,
  reason: normalizedText(1_000).optional().meta({ description: 'The reason, for the ledger.' }),
  expires_at: end.optional().meta({ description: 'The new end, up to two years ahead; `now` ends it.' }),
  autorenew: booleanParameter.optional().meta({ type: 'boolean', description: 'Whether it is renewed.' }),
  rate_id: wholeNumber.optional().meta({ type: 'integer', minimum: 1, description: 'The new rate.' }),
  refund: z.string().min(1).optional().meta({ description: 'Key of a payment to refund in full.' }),
  preview: booleanParameter
    .optional()
    .meta({ type: 'boolean', description: 'Writes nothing: says what the call would do.' }),
});

/** A correction with its reason. */
export type Correction = Omit<z.output<typeof correctionParameters>, 'preview'> & { readonly reason: string };

/** Texts of a refused correction, a 403 without code. */
export const correctionRefusals = {
  reason: 'Reason Required',
  nothing: 'Nothing To Correct',
  member: 'Member Not Found',
  past: 'End Is Past',
  far: 'End Too Far Ahead',
  rate: 'Unknown Rate',
  noMembership: 'End And Rate Required',
  key: 'Key Of Another Correction',
  payment: 'Payment Not Found',
  unpaid: 'Payment Cannot Be Refunded',
  provider: 'Payment Provider Not Listed',
  store: 'Managed By Store',
} as const;

type RefusalCode = keyof typeof correctionRefusals;

/** The codes of refused corrections. */
export const refusalCodes = Object.keys(correctionRefusals) as RefusalCode[];

/** Creates the refusal of a correction. */
export const refusal = (why: RefusalCode): Failure => new Failure(403, correctionRefusals[why]);

/** The package that a rate is of. */
export const packageOf = ({ packageData }: Context, rate_id: number | undefined) =>
  soldRate(packageData, rate_id)?.pack.package_id;

const yearsAfter = (at: Date, years: number): Date => {
  const then = new Date(at);
  then.setUTCFullYear(then.getUTCFullYear() + years);
  return then;
};

/** Refuses an end in the past or too far ahead. */
function checkEnd(until: Correction['expires_at'], at: Date): void {
  if (until === undefined || until === 'now') return;
  if (until.getTime() < at.getTime() - clockSkewMs) throw refusal('past');
  if (until > yearsAfter(at, longestYears)) throw refusal('far');
}

/** Whether a ledger entry is of this very correction. */
export function isLineOf(entry: LedgerEntry, correction: Correction): boolean {
  const { reason, expires_at, autorenew, rate_id } = correction;
  const until = expires_at === 'now' ? entry.at : expires_at;
  return (
    entry.reason === reason &&
    (until === undefined || entry.expires_at?.getTime() === until.getTime()) &&
    (autorenew === undefined || entry.autorenew === autorenew) &&
    (rate_id === undefined || entry.rate_id === rate_id)
  );
}

/** Whether a correction changes the membership, beside a refund. */
export const changesMembership = ({ expires_at, autorenew, rate_id }: Omit<Correction, 'reason'>): boolean =>
  expires_at !== undefined || autorenew !== undefined || rate_id !== undefined;

const isComplete = (current: Membership | undefined, { expires_at, rate_id }: Correction): boolean =>
  current !== undefined || (expires_at !== undefined && rate_id !== undefined);

/** Whether a correction only grants time beyond the present end, or changes what was granted so. */
const isGrant = ({ expires_at, autorenew, rate_id }: Correction, { own, ...shown }: Membership): boolean => {
  if (expires_at === undefined || autorenew !== undefined || rate_id !== undefined) return false;
  const isBeyond = expires_at !== 'now' && expires_at > shown.expires_at;
  return isBeyond || (own ? own.expires_at >= shown.expires_at : false);
};

/**
 * Validates a correction before anything is written or refunded: member, rate, end, and a membership to complete it from. A repeated
 * correction, whose ledger entry is `standing`, must only be the same. The member of one that was approved existed when staff asked
 * for it, and may be deleted since.
 */
export async function checkChange(
  correction: Correction,
  standing: LedgerEntry | undefined,
  isApproved: boolean,
  context: Context,
): Promise<void> {
  if (standing) {
    if (!isLineOf(standing, correction)) throw refusal('key');
    return;
  }
  const { member, expires_at, rate_id } = correction;
  checkEnd(expires_at, context.clock());
  if (rate_id !== undefined && packageOf(context, rate_id) === undefined) throw refusal('rate');
  if (!isApproved && (await siteOf(member, context)) === undefined) throw refusal('member');
  const current = await context.memberships.find(member);
  if (!isComplete(current, correction)) throw refusal('noMembership');
  if (current && isManagedByStore(current) && !isGrant(correction, current)) throw refusal('store');
}
