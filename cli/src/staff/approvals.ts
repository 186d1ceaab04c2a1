import { oneLine } from '@covalence/runtime/one-line';
import { flagOption, stringOption, type Action } from '../operator-command.ts';
import { actingAs, oneSite, openClient, pageOf, paging, siteOf, staffNames, type NameOf } from './call.ts';
import { pageLines } from './lines.ts';
import { dataOf, type Schemas } from './staff-client.ts';

const approvalLine = (approval: Schemas['StaffApproval'], nameOf: NameOf): string => {
  const { approval_id, action, id, siteid, staff_id, expires_at, reason } = approval;
  const { amount, currency, payment, correction, ban, outcome, decided_by, decided_at, revision } = approval;
  return [
    approval_id,
    `${action} member ${id}`,
    siteid === null ? 'erased' : `site ${siteid}`,
    ...(amount === null ? [] : [`${amount} ${currency ?? ''}`]),
    ...(payment === null ? [] : [`payment ${payment}`]),
    ...Object.entries(correction ?? {}).flatMap(([name, to]) => (to === null ? [] : [`${name} ${to}`])),
    ...(ban === null ? [] : [`ban ${ban}`]),
    `by ${nameOf(staff_id)}`,
    outcome === 'waiting' ? `until ${expires_at}` : outcome,
    ...(decided_by === null ? [] : [`by ${nameOf(decided_by)} ${decided_at ?? ''}`]),
    ...(outcome === 'waiting' && revision !== null ? [`revision ${revision}`] : []),
    ...(reason === null ? [] : [oneLine(reason)]),
  ].join('  ');
};

const approvals: Action = {
  options: { ...actingAs, ...oneSite, '--ended': 'what became of requests, newest first', ...paging },
  help: 'list what waits for a second person, oldest first',
  errors: { 403: 'The site is one of the role, and a page has 1 to 100 entries.' },
  async run(call) {
    const api = await openClient(call);
    const ended = flagOption(call, 'ended');
    const query = { siteid: siteOf(call), ended, ...pageOf(call) };
    const data = await dataOf(api.GET('/staff/approvals', { params: { query } }));
    const nameOf = await staffNames(call);
    const lines = data.entries.map((approval) => approvalLine(approval, nameOf));
    const none = ended ? 'No request has ended.' : 'Nothing waits for a second person.';
    return { lines: pageLines(lines, data.next, none), data };
  },
};

const deciding = (action: 'approve' | 'refuse', help: string, options: Action['options'] = {}): Action => ({
  takes: ['<request>'],
  options: { ...actingAs, ...options },
  help,
  errors: {
    403: 'Another account than the one that asked has to approve, with the same role on the same site.',
    404: 'There is no such request.',
    409: 'It is decided, has expired, or can no longer be done: see covalence staff approvals.',
  },
  async run(call) {
    const api = await openClient(call);
    const [approvalid = ''] = call.args;
    const params = { path: { approvalid } };
    const body = { revision: stringOption(call, 'revision') };
    const answer =
      action === 'approve'
        ? api.POST('/staff/approvals/{approvalid}/approve', { params, body })
        : api.POST('/staff/approvals/{approvalid}/refuse', { params });
    const data = await dataOf(answer);
    return { lines: ['Done.'], data };
  },
});

/** The actions of `covalence staff` on what waits for a second person. */
export const approvalActions: Readonly<Record<string, Action>> = {
  approvals,
  'approve-request': deciding('approve', 'approve the deletion or refund that a colleague asked for', {
    '--revision <revision>': 'refuse when the member has changed since the list',
  }),
  'refuse-request': deciding('refuse', 'refuse what a colleague asked for, or take back an own request'),
};
