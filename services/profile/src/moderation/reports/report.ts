import { createHash } from 'node:crypto';
import { v7 } from 'uuid';
import { normalizedText } from '@covalence/contract/normalized-text';
import { optional, profileid } from '@covalence/contract/parameters';
import { z } from 'zod';
import { orNotFound } from '@covalence/contract/failure';
import { endpoint } from '@covalence/http/endpoint';
import type { ModerationContext } from '../moderation.ts';
import { type Member, heldFrom } from '../../members/document/member.ts';
import { textsByState } from '../../members/checks/check-texts.ts';
import type { Evidence } from '../store/evidence-store.ts';
import {
  reportCategories,
  reportOutcomes,
  type ReportOutcome,
  closingMs,
  type Report,
} from '../store/report-store.ts';
import { otherMemberEndpoint } from '../../pairs/other-member.ts';
import { requireUnclaimed } from '../hold-claim.ts';
import { decisionInput, entryIds } from '../staff-call.ts';
import { logDecision } from '../decide.ts';

const messagesKept = 50;

const photosOf = ({ photos }: Member): Evidence['photos'] =>
  photos
    .filter(({ status }) => status !== 'deleted')
    .map((photo) => ({
      ...heldFrom(photo),
      status: photo.status,
      ...(photo.private !== undefined && { private: photo.private }),
    }));

async function messagesOf({ messages }: ModerationContext, reporter: number, reported: number) {
  const last = await messages.store.between(reporter, reported, messagesKept);
  return last.toReversed().map(({ from, text, at }) => ({
    by: from === reporter ? ('reporter' as const) : ('reported' as const),
    text,
    at,
  }));
}

async function keepEvidence(
  context: ModerationContext,
  reported: Member,
  reporter: number,
  said: Pick<Evidence, 'category' | 'reason'>,
): Promise<void> {
  const content = {
    ...textsByState(reported),
    photos: photosOf(reported),
    messages: await messagesOf(context, reporter, reported._id),
  };
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('base64url');
  const who = { reported: reported._id, reporter, ...said };
  await context.moderation.evidence.add({ id: v7(), ...who, at: context.clock(), ...content, digest });
}

/** Removes the reports of those who were erased since they were read: their erasure may have ended by now. */
async function forgetErased({ members, moderation }: ModerationContext, both: readonly Member[]) {
  const left = await members.store.byIds(both.map(({ _id }) => _id));
  for (const { _id } of both) {
    if (left.some((member) => member._id === _id)) continue;
    await moderation.reports.erase(_id);
    await moderation.evidence.forgetReporter(_id);
  }
}

const longestReason = 1_000;

/** POST /report */
export const report = otherMemberEndpoint({
  tag: 'Interest',
  operationId: 'reportMember',
  summary: 'Report a member',
  description:
    'Reports a member to Customer Service. A repeated call keeps the place in the queue, and takes the new category and reason. GET /members/self/reports has the outcome.',
  answer: 'The report is filed.',
  example: { request: { profileid: 1002, category: 'scam', reason: 'Asks for money' } },
  input: z.object({
    profileid,
    category: optional(z.enum(reportCategories)).meta({ description: 'What it is about.' }),
    reason: optional(normalizedText(longestReason)).meta({
      description: 'The reason, in the member’s words.',
    }),
  }),
  output: z.object({}),
  handler: async ({ input, member: viewer, other }, context: ModerationContext) => {
    const filed = { reported: other._id, reporter: viewer._id, siteid: other.siteid };
    const said = {
      ...(input.category && { category: input.category }),
      ...(input.reason && { reason: input.reason }),
    };
    await keepEvidence(context, other, viewer._id, said);
    // Each step is safe to repeat, so a retry completes a call that failed.
    await context.moderation.reports.file({ ...filed, ...said }, context.clock());
    await context.pairs.store.act(viewer._id, other._id, 'report');
    await forgetErased(context, [viewer, other]);
    return {};
  },
});

/** The outcome that the reporter receives: the stated one, or whether something was restricted since the report. */
async function outcomeOf(
  { moderation }: ModerationContext,
  { reported, filed_at }: Report,
  stated: ReportOutcome | undefined,
): Promise<ReportOutcome> {
  if (stated) return stated;
  return (await moderation.decisions.hasRestricted(reported, filed_at)) ? 'measures' : 'none';
}

/** Records a closing before it is made. The reporter is notified once it is. */
async function note(
  context: ModerationContext,
  { _id: report, reported }: Report,
  { as: id, by: staff, at, reason }: NonNullable<Report['closing']>,
): Promise<void> {
  const entry = { id, member: reported, staff, at, report, ...(reason && { reason }) };
  const tell_at = new Date(at.getTime() + closingMs);
  await logDecision(context, { ...entry, action: 'close-report', tell_at });
}

/** POST /staff/reports/{reportid}/close */
export const closeReport = endpoint({
  access: 'staff',
  staff: {
    roles: ['moderator'],
    site: async ({ reportid }: { readonly reportid: string }, context: ModerationContext) =>
      orNotFound(await context.moderation.reports.find(reportid)).siteid,
    about: ({ reportid }) => entryIds(reportid),
  },
  operationId: 'closeReport',
  summary: 'Close a report',
  description:
    'Marks the report as reviewed; decide on the member first, in a separate call. The reporter sees the outcome, and may appeal `none`.',
  answer: 'Whether the call closed the report.',
  example: { request: { reportid: '1001:1002' } },
  statuses: [409],
  input: z.object({
    reportid: z.string().meta({ description: 'The report.' }),
    reason: decisionInput.reason,
    outcome: z.enum(reportOutcomes).optional().meta({
      description:
        'The outcome shown to the reporter; by default `measures` if the member was restricted since the report.',
    }),
  }),
  output: z
    .object({
      report_id: z.string().meta({ examples: ['1001:1002'] }),
      changed: z.boolean().meta({ examples: [true] }),
    })
    .meta({ id: 'ReportDecision' }),
  handler: async ({ input: { reportid, reason, outcome }, caller }, context: ModerationContext) => {
    const { reports, claims } = context.moderation;
    const entry = { kind: 'report', key: reportid } as const;
    await requireUnclaimed(context, entry, caller);
    const report = orNotFound(await reports.find(reportid));
    const at = context.clock();
    const decided = {
      at,
      outcome: await outcomeOf(context, report, outcome),
      stated: outcome !== undefined,
    };
    const wanted = { by: caller.memberId, as: v7(), at, ...(reason && { reason }) };
    const closing = await reports.beginClosing(reportid, wanted);
    if (closing) await note(context, report, closing);
    const changed = closing !== undefined && (await reports.close(reportid, { ...closing, decided }));
    await claims.end(entry);
    if (changed) context.metrics.staffDecisions.inc({ kind: 'report' });
    return { report_id: reportid, changed };
  },
});
