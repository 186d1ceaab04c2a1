import { Failure } from '@covalence/contract/failure';
import { z } from 'zod';
import type { SubscriptionsContext as Context } from '../subscriptions/subscriptions.ts';
import { previewMembership, type Decide } from '../memberships/change-memberships.ts';
import { membershipView, viewOf } from '../memberships/membership-view.ts';
import { extended, refunded, type Membership } from '../memberships/membership.ts';
import { correctionRefusals, refusalCodes, type Correction } from './check-correction.ts';
import { correcting, entryOf, isRefunded, planCorrection, type Plan } from './make-correction.ts';
import { needsSecondPerson } from './second-person.ts';

/** The effects of a correction. */
export const correctionPreview = z
  .object({
    after: membershipView
      .extend({ package_id: z.int().nullable(), rate_id: z.int().nullable() })
      .nullable()
      .meta({ id: 'CorrectedMembership', description: 'Null where it would be refused.' }),
    refund: z
      .object({ payment: z.string(), amount: z.int(), currency: z.string() })
      .nullable()
      .meta({ id: 'RefundPreview', description: 'What is refunded, in minor units.' }),
    second_person: z.boolean().meta({ description: 'It would wait for a second person.' }),
    refusal: z
      .object({
        code: z.enum(refusalCodes).meta({ examples: ['far'] }),
        fail: z.string().meta({ examples: [correctionRefusals.far] }),
      })
      .nullable()
      .meta({ id: 'CorrectionRefusal', description: 'Why it would be refused.' }),
  })
  .meta({ id: 'CorrectionPreview' });

type Preview = z.output<typeof correctionPreview>;

/** The membership after a correction, by the same steps that make it. */
async function afterwards(plan: Plan, staff: string, context: Context): Promise<Membership | undefined> {
  const { correction, changes, refund } = plan;
  const { member } = correction;
  const at = context.clock();
  let found = await context.memberships.find(member);
  if (refund && refund.payment.state !== 'refunded') {
    const { payment, charge } = refund;
    const settle: Decide = (_member, own, shown) => extended(own, payment, charge, at, shown);
    if (payment.state !== 'paid') found = await previewMembership(context, member, found, settle, at);
    const all = await context.payments.of(member);
    const giveBack: Decide = (_member, own) => refunded(own, payment, all, at);
    found = await previewMembership(context, member, found, giveBack, at);
  }
  if (!changes) return found;
  const entry = await entryOf(plan, found, { staff }, context);
  return previewMembership(context, member, found, correcting(entry, correction, at), at);
}

/** The code of a refused correction. */
const codeOf = (error: unknown) =>
  error instanceof Failure
    ? refusalCodes.find((code) => correctionRefusals[code] === error.message)
    : undefined;

/** The effects that a correction would have now, or the reason for refusing it. Writes nothing. */
export async function previewOf(
  correction: Correction,
  key: string | undefined,
  staff: string,
  context: Context,
): Promise<Preview> {
  try {
    const plan = await planCorrection(correction, key, context);
    const after = await afterwards(plan, staff, context);
    const { refund } = plan;
    return {
      after: {
        ...viewOf(after, context.clock()),
        package_id: after?.package_id ?? null,
        rate_id: after?.rate_id ?? null,
      },
      refund:
        refund && !isRefunded(refund)
          ? {
              payment: refund.payment.key,
              amount: refund.payment.amount - refund.charge.refunded,
              currency: refund.payment.currency,
            }
          : null,
      second_person: await needsSecondPerson(plan, context),
      refusal: null,
    };
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    const refused = { code, fail: correctionRefusals[code] };
    return { after: null, refund: null, second_person: false, refusal: refused };
  }
}
