import type { PrivacyContext } from './privacy.ts';
import type { Member } from '../members/document/member.ts';
import { tryMoveDecisions } from '../moderation/decide.ts';
import type { Decision } from '../members/document/decision.ts';

const batch = 500;

/** A decision without the staff account, and without the report, whose id names the reporter. */
const decisionView = ({ at, action, reason, field, photo, rejected, before, after }: Decision) => ({
  at: at.toISOString(),
  action,
  reason: reason ?? null,
  ...(field !== undefined && { field }),
  ...(photo !== undefined && { photoid: photo }),
  ...(rejected?.text !== undefined && { text: rejected.text }),
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
});

async function decisionsOf({ moderation }: PrivacyContext, member: number): Promise<Decision[]> {
  const all: Decision[] = [];
  for (;;) {
    const page = await moderation.decisions.of(member, all.at(-1)?.id, batch);
    all.push(...page);
    if (page.length < batch) return all;
  }
}

/**
 * The part of an export about moderation: decisions, what waits for review, and reports. Reports about the member
 * appear without the reporter and the reason.
 */
export async function moderationOf(context: PrivacyContext, member: Member) {
  await tryMoveDecisions(context, member);
  const [history, about, filed] = await Promise.all([
    decisionsOf(context, member._id),
    context.moderation.reports.about(member._id),
    context.moderation.reports.filedBy(member._id),
  ]);
  return {
    history: history.map(decisionView),
    waiting: member.waiting ?? {},
    flags: member.flags ?? {},
    reports_about: about.map(({ open_at, closed_at }) => ({
      open: open_at !== undefined,
      at: (open_at ?? closed_at)?.toISOString() ?? null,
    })),
    reports_filed: filed.map((report) => ({
      profileid: report.reported,
      reason: report.reason ?? null,
      open: report.open_at !== undefined,
    })),
  };
}
