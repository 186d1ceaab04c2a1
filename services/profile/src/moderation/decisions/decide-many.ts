import { Failure, forbidden } from '@covalence/contract/failure';
import { coversSite, type StaffSites } from '@covalence/contract/staff-roles';
import { addressKey } from '@covalence/http/address-key';
import { endpoint, type AnyEndpoint, type Caller } from '@covalence/http/endpoint';
import { z } from 'zod';
import { waitingKinds, type WaitingKind } from '../../members/document/account-status.ts';
import type { ModerationContext } from '../moderation.ts';
import { decisionIdShape, decisionInput, hasReason } from '../staff-call.ts';
import { removeBansInput } from './ban-member.ts';
import { approve, reject } from './decide-member.ts';
import { approvePhoto, ownerIds, rejectPhoto } from './decide-photo.ts';
import { approveText, rejectText } from './decide-text.ts';

const mostAtOnce = 50;

type Deciding = Readonly<Record<'approve' | 'reject', AnyEndpoint<ModerationContext>>>;

const endpoints: Readonly<Record<WaitingKind, Deciding>> = {
  profile: { approve, reject },
  text: { approve: approveText, reject: rejectText },
  photo: { approve: approvePhoto, reject: rejectPhoto },
};

const decisionSchema = z
  .object({
    kind: z.enum(waitingKinds),
    id: z
      .union([z.int(), z.string()])
      .transform(String)
      .meta({ type: 'string', description: 'The member, or the photo.', examples: ['1002'] }),
    field: z.string().optional().meta({ description: 'For the kind `text`.' }),
    decision: z.enum(['approve', 'reject']),
    revision: z.string().meta({ examples: ['m0Wv'] }),
    reason: decisionInput.reason,
    reason_id: decisionInput.reason_id,
    facts: decisionInput.facts,
    report_id: decisionInput.report_id,
    remove_bans: removeBansInput,
  })
  .refine(({ kind, field }) => (kind === 'text') === (field !== undefined))
  .refine(({ kind, decision, remove_bans }) => !remove_bans || (kind !== 'text' && decision === 'approve'))
  .refine((given) => given.decision === 'approve' || hasReason(given))
  .meta({ id: 'StaffBulkDecision' });

const outcomeSchema = z
  .object({
    status: z.int().meta({ examples: [200], description: 'The status that the single call answers.' }),
    changed: z.boolean().optional(),
    ...decisionIdShape,
    fail: z.string().optional(),
    failcode: z.array(z.int()).optional(),
  })
  .meta({ id: 'StaffBulkOutcome' });

type Outcome = z.output<typeof outcomeSchema>;

/** Makes one decision as its own call does, with the same rule of sites. */
async function decideOne(
  { kind, id, field, decision, ...why }: z.output<typeof decisionSchema>,
  {
    caller,
    sites,
    address,
  }: { readonly caller: Caller; readonly sites: StaffSites; readonly address: string },
  context: ModerationContext,
): Promise<Outcome> {
  const called = endpoints[kind][decision];
  const { staff } = called;
  const input = { ...(kind === 'photo' ? { photoid: id } : { id, field }), ...why };
  const site = typeof staff?.site === 'function' ? await staff.site(input, context) : undefined;
  if (!coversSite(sites, site)) throw forbidden();
  const made = await called.run({ input, caller, sites, address, idempotencyKey: undefined }, context);
  const { changed, decision_id } = made as Outcome;
  return { status: 200, changed, decision_id };
}

/** The outcome of a decision that was refused or failed. */
function failureOf(error: unknown, { logger }: ModerationContext): Outcome {
  if (error instanceof Failure) {
    const { status, message: fail, failcode } = error;
    return { status, fail, failcode: failcode && [...failcode] };
  }
  logger.error({ err: error }, 'one of several decisions failed');
  return { status: 500, fail: 'Internal Server Error' };
}

/** POST /staff/queue/decide */
export const decideMany = endpoint({
  access: 'staff',
  staff: {
    roles: ['moderator'],
    site: 'several',
    about: async ({ decisions }, context: ModerationContext) => {
      const photos = decisions.filter(({ kind }) => kind === 'photo');
      const owners = await Promise.all(photos.map(({ id }) => ownerIds(id, context)));
      return [...decisions.map(({ id }) => id), ...owners.flat()];
    },
  },
  operationId: 'decideStaffQueueEntries',
  summary: 'Decide on several entries',
  description:
    'Makes up to 50 decisions one after the other, each as its own call would, with the revision that was looked at. A refused decision does not stop the others. A repeated call changes nothing more.',
  answer: 'The outcomes, in the order of the decisions.',
  example: {
    request: {
      decisions: [
        { kind: 'text', id: '1002', field: 'headline', decision: 'approve', revision: 'm0Wv' },
        { kind: 'photo', id: '4711', decision: 'reject', revision: 'kP2x', reason: 'No person on it' },
      ],
    },
  },
  bodyOnly: true,
  input: z.object({ decisions: z.array(decisionSchema).min(1).max(mostAtOnce) }),
  output: z.object({ outcomes: z.array(outcomeSchema) }).meta({ id: 'StaffBulkOutcomes' }),
  handler: async ({ input, caller, sites, address }, context: ModerationContext) => {
    const outcomes: Outcome[] = [];
    for (const decision of input.decisions) {
      const decided = decideOne(decision, { caller, sites, address }, context);
      const outcome = await decided.catch((error: unknown) => failureOf(error, context));
      if (outcome.status === 403) {
        const facts = { address: addressKey(address), staff: caller.memberId, reason: 'role' };
        context.security.record('staff_call_refused', facts);
      }
      outcomes.push(outcome);
    }
    return { outcomes };
  },
});
