import { oneLine } from '@covalence/runtime/one-line';
import { z } from 'zod';
import type { Action } from '../operator-command.ts';
import { pageLines } from '../staff-views.ts';
import { as, namesOf, open, pageOf, paging, segment, text } from './staff-decisions.ts';

const approvalsSchema = z.object({
  entries: z.array(
    z.object({
      approval_id: z.string(),
      action: z.string(),
      id: z.int(),
      siteid: z.int().nullable(),
      staff_id: z.string(),
      expires_at: z.string(),
      reason: z.string().nullable(),
      ban: z.string().nullable(),
      amount: z.int().nullable(),
      currency: z.string().nullable(),
      payment: z.string().nullable(),
      correction: z
        .object({
          expires_at: z.string().nullable(),
          autorenew: z.boolean().nullable(),
          rate_id: z.int().nullable(),
        })
        .nullable(),
    }),
  ),
  next: z.string().nullable(),
});

/** Requests as lines; `names` are the staff accounts' by id. */
function approvalLines(
  { entries, next }: z.output<typeof approvalsSchema>,
  names: ReadonlyMap<string, string>,
): string[] {
  const lines = entries.map(({ approval_id, action, id, siteid, staff_id, expires_at, reason, ...rest }) =>
    [
      approval_id,
      `${action} member ${id}`,
      siteid === null ? 'erased' : `site ${siteid}`,
      ...(rest.amount === null ? [] : [`${rest.amount} ${rest.currency ?? ''}`]),
      ...(rest.payment === null ? [] : [`payment ${rest.payment}`]),
      ...Object.entries(rest.correction ?? {}).flatMap(([name, to]) =>
        to === null ? [] : [`${name} ${to}`],
      ),
      ...(rest.ban === null ? [] : [`ban ${rest.ban}`]),
      `by ${names.get(staff_id) ?? staff_id}, until ${expires_at}`,
      ...(reason === null ? [] : [oneLine(reason)]),
    ].join('  '),
  );
  return pageLines(lines, next, 'Nothing waits for a second person.');
}

const approvals: Action = {
  options: { ...as, '--site <siteid>': 'one site only', ...paging },
  help: 'list what waits for a second person, oldest first',
  refused: 'The site is one of the role, and a page has 1 to 100 entries.',
  async run(call) {
    const api = await open(call);
    const query = { siteid: text(call, 'site'), ...pageOf(call) };
    const data = await api.get('/staff/approvals', query, approvalsSchema);
    return { lines: approvalLines(data, await namesOf(call)), data };
  },
};

const deciding = (action: 'approve' | 'refuse', help: string): Action => ({
  takes: ['<request>'],
  options: as,
  help,
  missing: 'There is no such request.',
  refused: 'Another account than the one that asked has to approve, with the same role on the same site.',
  changed: 'It is decided, has expired, or can no longer be done: see covalence staff approvals.',
  async run(call) {
    const api = await open(call);
    const path = `/staff/approvals/${segment(call.args[0])}/${action}`;
    const data = await api.post(path, {}, z.object({ id: z.int() }));
    return { lines: ['Done.'], data };
  },
});

/** The actions of `covalence staff` on what waits for a second person. */
export const staffApprovals: Readonly<Record<string, Action>> = {
  approvals,
  'approve-request': deciding('approve', 'approve the deletion or refund that a colleague asked for'),
  'refuse-request': deciding('refuse', 'refuse what a colleague asked for, or take back an own request'),
};
