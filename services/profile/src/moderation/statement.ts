import { restrictions, type RestrictionAction } from '@covalence/contract/peers/decisions-api';
import { z } from 'zod';
import type { Decision, Member, Statement } from '../members/document/member.ts';
import { localeFor } from '../members/members.ts';
import type { ModerationContext } from './moderation.ts';
import { savedReason, textOfReason, type ReasonKind } from './saved-reasons.ts';

/** Why staff decide. */
export interface Why {
  readonly reason?: string | undefined;
  /** A saved reason, instead. */
  readonly reason_id?: string | undefined;
  /** The facts, as the member reads them. */
  readonly facts?: string | undefined;
  /** The report that led to it. */
  readonly report_id?: string | undefined;
  /** The scope of a ban made with the decision. */
  readonly ban?: { readonly everywhere: boolean } | undefined;
}

/** The saved reason of restrictions that staff give no saved reason for. */
const fallback = 'terms';

/** Milliseconds in which a decision on an entry of the queue can be undone, and no mail is sent yet. */
export const undoMs = 30_000;

/** Milliseconds in which staff can take back a ban for fraud before others are warned, who have to be within 24 hours. */
const warnAfterMs = 3_600_000;

/** A ban comes with one of these, or after it. */
const exclusions: readonly Decision['action'][] = ['suspend', 'delete'];

/** Whether an action restricts a member, so that the member is owed a statement of reasons. */
export const isRestriction = (action: string): action is RestrictionAction =>
  restrictions.some((each) => each === action);

/** The program that pointed staff to what they decide on, also where they let it stand. `isFlagged`: as a scam, in any mode. */
export function detectionOf(
  { suspected, scam_signals_at, flags = {}, photos }: Member,
  { action, field, photo }: Pick<Decision, 'action' | 'field' | 'photo'>,
  isFlagged = false,
): Decision['detection'] {
  const isOfProfile = action === 'approve' || action === 'reject';
  if (field === undefined ? isOfProfile && Object.keys(flags).length > 0 : field in flags)
    return 'contact_data';
  const isOfMember = isOfProfile || action === 'suspend' || action === 'delete';
  const isMatched =
    photo === undefined ? isOfMember && suspected : photos.find(({ id }) => id === photo)?.suspected;
  if (isMatched) return 'ban_list';
  const hasSignals = scam_signals_at !== undefined || (isFlagged && isRestriction(action));
  return (isOfMember || action === 'dismiss-signals') && hasSignals ? 'scam_signals' : undefined;
}

/** The reasons that a decision stores, with the statement due to the member. Throws 403 for an unknown saved reason. */
export function reasonsOf(
  context: Pick<ModerationContext, 'sites' | 'moderation' | 'members'>,
  member: Member,
  decision: Pick<Decision, 'action' | 'field' | 'photo'>,
  { reason, reason_id, facts, report_id, ban }: Why,
  { at, kind, isFlagged }: { readonly at: Date; readonly kind: ReasonKind; readonly isFlagged?: boolean },
): Pick<Decision, 'reason' | 'reason_id' | 'report' | 'statement' | 'tell_at' | 'warn_at'> {
  const { savedReasons } = context.moderation;
  const locale = localeFor(context, member);
  const saved =
    reason_id === undefined ? undefined : savedReason(reason_id, kind, member.siteid, savedReasons);
  const written = saved ? textOfReason(saved, locale) : reason;
  const why = {
    ...(written !== undefined && { reason: written }),
    ...(saved && { reason_id: saved.id }),
  };
  // The member is notified that the deletion is over.
  if (decision.action === 'undelete') return { ...why, tell_at: at };
  if (!isRestriction(decision.action)) return why;
  const ground = saved ?? savedReason(fallback, kind, member.siteid, savedReasons);
  const { id, basis, clause, misuse } = ground;
  return {
    ...why,
    ...(report_id !== undefined && { report: report_id }),
    statement: {
      ground: id,
      basis,
      ...(clause !== undefined && { clause }),
      text: textOfReason(ground, locale),
      ...(facts !== undefined && { facts }),
      ...(misuse !== undefined && { misuse }),
      reported: report_id !== undefined,
      detected: detectionOf(member, decision, isFlagged) !== undefined,
      ...(ban && { ban_until: context.members.bans.expiry(at), everywhere: ban.everywhere }),
    },
    tell_at: kind === 'account' ? at : new Date(at.getTime() + undoMs),
    ...(ground.fraud &&
      exclusions.includes(decision.action) && { warn_at: new Date(at.getTime() + warnAfterMs) }),
  };
}

/** A statement of reasons as the member and staff see it. */
export const statementSchema = z
  .strictObject({
    ground: z.string().meta({ examples: ['advertising'], description: 'The saved reason.' }),
    basis: z.enum(['terms', 'law']),
    clause: z.string().nullable().meta({ description: 'The clause of the terms, or the law.' }),
    text: z.string().meta({ examples: ['It advertises something or asks for money.'] }),
    facts: z.string().nullable(),
    source: z.enum(['report', 'own_initiative']),
    automated_detection: z.boolean().meta({ description: 'A program pointed it out.' }),
    automated_decision: z.boolean().meta({ description: 'Always false: people decide.' }),
    scope: z.enum(['site', 'all_sites']),
    ban_until: z.iso.datetime().nullable().meta({
      description:
        'Until when the email address, the devices and the photos are banned. The decision itself holds until it is changed.',
    }),
  })
  .meta({ id: 'StatementOfReasons' });

/** A statement of reasons as the member and staff see it. */
export const statementView = (statement: Statement): z.output<typeof statementSchema> => ({
  ground: statement.ground,
  basis: statement.basis,
  clause: statement.clause ?? null,
  text: statement.text,
  facts: statement.facts ?? null,
  source: statement.reported ? 'report' : 'own_initiative',
  automated_detection: statement.detected,
  automated_decision: false,
  scope: statement.everywhere ? 'all_sites' : 'site',
  ban_until: statement.ban_until?.toISOString() ?? null,
});
