import { Failure } from '@covalence/contract/failure';
import { keptText } from '@covalence/contract/kept-text';
import { booleanParameter, wholeNumber } from '@covalence/contract/parameters';
import { z } from 'zod';
import type { BillingContext } from '../context.ts';
import type { LedgerEntry } from '../ledger/ledger-store.ts';
import type { Membership } from '../memberships/membership.ts';
import { memberInPath } from './membership-report.ts';

/** How far ahead staff may set the end of a membership, in years. */
const longestYears = 2;

/** So much may the clock of whoever sends the present moment be behind. */
const clockSkewMs = 60_000;

/** A time, or `now`: generated clients know no union of two kinds of text. */
const end = z
  .string()
  .refine((text) => text === 'now' || z.iso.datetime().safeParse(text).success)
  .transform((text) => (text === 'now' ? text : new Date(text)));

/** Parameters of a correction. `refund` is the key of the payment to give back, as the ledger has it. */
export const correctionParameters = z.object({
  member: memberInPath,
  reason: keptText(1_000).optional().meta({ description: 'The reason, for the ledger.' }),
  expires_at: end.optional().meta({ description: 'The new end, up to two years ahead; `now` ends it.' }),
  autorenew: booleanParameter.optional().meta({ type: 'boolean', description: 'Whether it is renewed.' }),
  rate_id: wholeNumber.optional().meta({ type: 'integer', minimum: 1, description: 'The new rate.' }),
  refund: z.string().min(1).optional().meta({ description: 'Key of a payment to refund in full.' }),
});

/** What staff say about a membership. */
export type Correction = z.output<typeof correctionParameters> & { readonly reason: string };

/** Why a correction is refused: the text of a 403 without code. */
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
} as const;

/** The refusal of a correction, which says why. */
export const refusal = (why: keyof typeof correctionRefusals): Failure =>
  new Failure(403, correctionRefusals[why]);

/** The package that a rate is of. */
export const packageOf = ({ packageData }: BillingContext, rate_id: number | undefined) =>
  packageData.packages.find(({ rates }) => rates.some((rate) => rate.rate_id === rate_id))?.package_id;

const yearsAfter = (at: Date, years: number): Date => {
  const then = new Date(at);
  then.setUTCFullYear(then.getUTCFullYear() + years);
  return then;
};

/** Refuses an end that nobody means: of another year's form, or one that would be a membership for ever. */
function checkEnd(until: Correction['expires_at'], at: Date): void {
  if (until === undefined || until === 'now') return;
  if (until.getTime() < at.getTime() - clockSkewMs) throw refusal('past');
  if (until > yearsAfter(at, longestYears)) throw refusal('far');
}

/** Whether a ledger line is of this very correction: what it names, and the reason. */
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

/** 403 where profile knows no such member, 503 where profile is away. */
async function checkMember(id: number, { profile }: BillingContext): Promise<void> {
  try {
    await profile.memberLocale({ id });
  } catch (error) {
    throw error instanceof Failure && error.status === 404 ? refusal('member') : error;
  }
}

/** Whether it changes the membership itself, and does not only give money back. */
export const changesMembership = ({ expires_at, autorenew, rate_id }: Omit<Correction, 'reason'>): boolean =>
  expires_at !== undefined || autorenew !== undefined || rate_id !== undefined;

const isComplete = (current: Membership | undefined, { expires_at, rate_id }: Correction): boolean =>
  current !== undefined || (expires_at !== undefined && rate_id !== undefined);

/**
 * Refuses, before anything is written or any money moves, what cannot be corrected so: an unknown member or rate, an end that
 * is past or more than two years ahead, no membership to take what is missing from. One that came before under its key
 * (`standing`) is held to that alone, because time has passed since.
 */
export async function checkChange(
  correction: Correction,
  standing: LedgerEntry | undefined,
  context: BillingContext,
): Promise<void> {
  if (standing) {
    if (!isLineOf(standing, correction)) throw refusal('key');
    return;
  }
  const { member, expires_at, rate_id } = correction;
  checkEnd(expires_at, context.clock());
  if (rate_id !== undefined && packageOf(context, rate_id) === undefined) throw refusal('rate');
  await checkMember(member, context);
  if (!isComplete(await context.memberships.find(member), correction)) throw refusal('noMembership');
}
