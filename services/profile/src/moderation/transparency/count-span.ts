import { restrictions } from '@covalence/contract/peers/decisions-api';
import { hourMs } from '@covalence/contract/time';
import type { Decision } from '../../members/document/member.ts';
import type { Appeal } from '../store/appeal-store.ts';
import type { ModerationContext } from '../moderation.ts';
import type { Report } from '../store/report-store.ts';
import { isRestriction, undoMs } from '../statement.ts';
import type { Count } from '../store/transparency-store.ts';
import { oneCase } from './tally.ts';

const hoursBetween = (from: Date, to: Date): number =>
  Math.max(0, Math.floor((to.getTime() - from.getTime()) / hourMs));

/** Adds a case of a site to the counts. */
type Add = (siteid: number, measure: string, category: string, hours?: number) => void;

/** Actions that end or take back a restriction. */
const takingBack: Partial<Record<Decision['action'], string>> = {
  'grant-appeal': 'appeal',
  unsuspend: 'suspension_ended',
  undelete: 'deletion_undone',
};

/** The actions that are counted. */
const counted = [...restrictions, ...Object.keys(takingBack)] as Decision['action'][];

/** Counts a restriction by what it restricted and why. */
function addRestriction({ action, statement, detection }: Decision, siteid: number, add: Add): void {
  if (!statement) return;
  const { ground, basis, reported, misuse, ban_until } = statement;
  const withBan = action !== 'ban' && ban_until ? `${action}_with_ban` : action;
  add(siteid, 'decisions_by_restriction', withBan);
  add(siteid, 'decisions_by_basis', basis);
  add(siteid, 'decisions_by_reason', ground);
  add(siteid, 'decisions_by_source', `${reported ? 'notice' : 'own_initiative'}_${basis}`);
  add(siteid, 'decisions_by_detection', detection ? 'program' : 'person');
  if (action === 'suspend' && misuse) add(siteid, 'suspensions_for_misuse', misuse);
}

/** Counts whether a person confirmed what a program had pointed out, and whether an appeal showed later that it was wrong. */
async function addDetection(context: ModerationContext, decision: Decision, siteid: number, add: Add) {
  const { action, undoes, detection } = decision;
  if (detection)
    add(siteid, 'automated_detections', `${detection}_${isRestriction(action) ? 'confirmed' : 'dismissed'}`);
  if (action !== 'grant-appeal' || undoes === undefined) return;
  const wrong = (await context.moderation.decisions.find(undoes))?.detection;
  if (wrong) add(siteid, 'automated_detections_taken_back', wrong);
}

async function addDecisions(context: ModerationContext, from: Date, to: Date, add: Add): Promise<void> {
  const { decisions } = context.moderation;
  const [made, undone] = await Promise.all([
    decisions.between(from, to, counted),
    decisions.undoneBetween(from, new Date(to.getTime() + undoMs)),
  ]);
  const members = await context.members.store.eligibilityOf([...new Set(made.map(({ member }) => member))]);
  const sites = new Map(members.map(({ _id, siteid }) => [_id, siteid]));
  for (const decision of made) {
    const siteid = sites.get(decision.member);
    // A decision undone within seconds was never reported to the member.
    if (siteid === undefined || undone.has(decision.id)) continue;
    const back = takingBack[decision.action];
    if (back) add(siteid, 'decisions_taken_back', back);
    await addDetection(context, decision, siteid, add);
    addRestriction(decision, siteid, add);
  }
}

function addReports(filed: readonly Report[], decided: readonly Report[], add: Add): void {
  for (const { siteid, category } of filed) add(siteid, 'reports_received', category ?? 'none');
  for (const { siteid, category, filed_at, decided: decision } of decided) {
    if (!decision || decision.again) continue;
    add(siteid, 'reports_decided', category ?? 'none', hoursBetween(filed_at, decision.at));
    add(siteid, 'reports_by_outcome', decision.outcome);
  }
}

function addAppeals(filed: readonly Appeal[], decided: readonly Appeal[], add: Add): void {
  for (const { siteid, reported } of filed)
    add(siteid, 'appeals_received', reported === undefined ? 'decision' : 'report');
  for (const { siteid, at, decided: decision } of decided)
    if (decision) add(siteid, 'appeals_decided', decision.outcome, hoursBetween(at, decision.at));
}

/** Counts what happened from one time until before another. */
export async function countSpan(context: ModerationContext, from: Date, to: Date): Promise<Count[]> {
  const { reports, appeals } = context.moderation;
  const counts: Count[] = [];
  const add: Add = (...one) => void counts.push(...oneCase(...one));
  await addDecisions(context, from, to, add);
  addReports(await reports.between('filed_at', from, to), await reports.between('decided.at', from, to), add);
  addAppeals(await appeals.between('at', from, to), await appeals.between('decided.at', from, to), add);
  return counts;
}
