import { conflicting, notFound, tooManyRequests, orNotFound } from '@covalence/contract/failure';
import {
  appealText,
  fileAppeal as fileContract,
  readAppeal as readContract,
} from '@covalence/contract/peers/appeals-api';
import { profileidInPath } from '@covalence/contract/parameters';
import { serviceEndpoint } from '@covalence/http/endpoint';
import { v7 } from 'uuid';
import { z } from 'zod';
import type { Decision, Member } from '../../members/document/member.ts';
import { memberEndpoint } from '../../members/member-endpoint.ts';
import { findMember } from '../../members/members.ts';
import type { Appeal } from '../store/appeal-store.ts';
import { appealStateOf, closingStateOf } from '../appeal-state.ts';
import { tryMoveDecisions } from '../decide.ts';
import type { ModerationContext } from '../moderation.ts';
import { ownReports } from '../reports/own-reports.ts';
import { reportKey, type Report } from '../store/report-store.ts';

/** The site of the member to whom a decision was made, who may be erased; undefined where it was made to somebody else. */
function siteOfAppellant(decision: Decision | undefined, memberId: string, member: Member | undefined) {
  if (member) return decision?.member === member._id ? member.siteid : undefined;
  return decision?.closed?.member_id === memberId ? decision.closed.siteid : undefined;
}

/** The appealed decision, the member who appeals, and the site whose staff decide. */
type About = Pick<Appeal, 'decision' | 'member' | 'siteid' | 'reported'>;

const aboutReport = ({ reporter: member, reported, siteid }: Report, decision: string): About => ({
  decision,
  member,
  siteid,
  reported,
});

/** The closing of a report to its reporter, and its appeal. Throws 404 for another member. */
async function closedFor(context: ModerationContext, member: Member, { id, report: key }: Decision) {
  const { reports, appeals } = context.moderation;
  const [report, appeal] = await Promise.all([
    key === undefined ? key : reports.find(key),
    appeals.against(id),
  ]);
  if (report?.reporter !== member._id) throw notFound();
  const state = closingStateOf(report, id, appeal, context.clock());
  const { siteid } = member;
  return { about: aboutReport(report, id), siteid, isErased: false, state, answer: appeal?.decided?.answer };
}

/** A decision that a member may appeal, and its appeal. Throws 404 where there is none. */
async function appealableBy(context: ModerationContext, memberId: string, id: string) {
  const { decisions, appeals } = context.moderation;
  const member = await context.members.store.byUuid(memberId);
  if (member) await tryMoveDecisions(context, member);
  const decision = await decisions.find(id);
  if (member && decision?.action === 'close-report') return closedFor(context, member, decision);
  const siteid = siteOfAppellant(decision, memberId, member);
  if (!decision?.statement || siteid === undefined) throw notFound();
  const [appeal, isReversed] = await Promise.all([appeals.against(id), decisions.isUndone(decision)]);
  const state = appealStateOf(decision, appeal, { isReversed, now: context.clock() });
  const about: About = { decision: id, member: decision.member, siteid };
  return { about, siteid, isErased: !member, state, answer: appeal?.decided?.answer };
}

/** Appeals of one reporter that wait at once: each takes the time of a second person. */
const mostWaiting = 5;
const retrySeconds = 3_600;

/** Files an appeal. Throws 409 where the decision has one, and 429 where too many of the reporter wait. */
async function file({ clock, members, moderation }: ModerationContext, about: About, text: string) {
  const { appeals, reports } = moderation;
  const { member, reported } = about;
  // Before the appeal is stored, so that nobody sees one that is withdrawn at once.
  if (reported !== undefined && (await appeals.countWaiting(member)) >= mostWaiting)
    throw tooManyRequests(retrySeconds);
  const id = v7();
  if (!(await appeals.file({ id, ...about, text, at: clock(), waits: true }))) throw conflicting();
  if (reported === undefined) return;
  // Also afterwards, so that parallel calls do not pass together, and nothing is left of who is erased meanwhile.
  const isMany = (await appeals.countWaiting(member)) > mostWaiting;
  const isGone = !(await members.store.byId(member)) || !(await reports.find(reportKey(reported, member)));
  if (!isMany && !isGone) return;
  await appeals.withdraw(id);
  throw isGone ? notFound() : tooManyRequests(retrySeconds);
}

/** Files the appeal of a member. Throws 409 where the decision cannot be appealed any more. */
async function appeal(context: ModerationContext, memberId: string, id: string, text: string) {
  const { about, state } = await appealableBy(context, memberId, id);
  if (state !== 'open') throw conflicting();
  await file(context, about, text);
}

/** POST /members/self/decisions/{decisionid}/appeal */
export const appealDecision = memberEndpoint({
  tag: 'Members',
  operationId: 'appealDecision',
  summary: 'Appeal a decision',
  description:
    'Once for each decision, within six months, at no cost; another person decides. 409 afterwards, and where the decision was taken back. Members who cannot sign in use the link of the mail, also after the erasure that follows a deletion by staff.',
  answer: 'The appeal is filed.',
  example: {
    request: {
      decisionid: '019a3f20-0b1c-7d41-9d0f-5b1f5c1e8a77',
      text: 'The photo shows me and my sister.',
    },
  },
  statuses: [404, 409],
  input: z.object({
    decisionid: z.uuid().toLowerCase().meta({ description: 'The decision.' }),
    text: appealText.meta({ description: 'Why the decision is wrong.' }),
  }),
  output: z.object({}),
  handler: async ({ input: { decisionid, text }, member }, context: ModerationContext) => {
    await appeal(context, member.member_id, decisionid, text);
    return {};
  },
});

/** POST /members/self/reports/{profileid}/appeal */
export const appealReport = memberEndpoint({
  tag: 'Interest',
  operationId: 'appealReport',
  summary: 'Appeal the outcome of a report',
  description:
    'Where staff took no measures (`outcome` is `none`), once for each such decision, within six months, at no cost; another person decides. The report is open again if they grant it. 404 without such a report; 409 while `appeal.state` is not `open`; 429 while five such appeals of the caller wait.',
  answer: 'The appeal is filed.',
  example: { request: { profileid: '1002', text: 'He asked others for money, too.' } },
  statuses: [404, 409],
  input: z.object({
    profileid: profileidInPath,
    text: appealText.meta({ description: 'Why the decision is wrong.' }),
  }),
  output: z.object({}),
  handler: async ({ input, member: { _id } }, context: ModerationContext) => {
    const reported = orNotFound(await findMember(context, input.profileid));
    const report = orNotFound(await context.moderation.reports.find(reportKey(reported._id, _id)));
    const [shown] = await ownReports(context, _id, [report]);
    if (shown?.appeal?.state !== 'open' || report.closed_as === undefined) throw conflicting();
    await file(context, aboutReport(report, report.closed_as), input.text);
    return {};
  },
});

/** POST /internal/decisions/appeal/read: whether a decision can be appealed; 404 where there is none. */
export const appealOf = serviceEndpoint(
  readContract,
  async ({ member_id, decision_id }, context: ModerationContext) => {
    const { siteid, isErased, state, answer } = await appealableBy(context, member_id, decision_id);
    return { siteid, state, answer, erased: isErased };
  },
);

/** POST /internal/decisions/appeal: files the appeal of a member who may be unable to sign in. */
export const appealOnPage = serviceEndpoint(
  fileContract,
  async ({ member_id, decision_id, text }, context: ModerationContext) => {
    await appeal(context, member_id, decision_id, text);
    return {};
  },
);
