import { oneLine } from '@covalence/runtime/one-line';
import { flagOption, stringOption, type Action } from '../operator-command.ts';
import { oneSite, pageOf, paging, siteOf, staffAction, staffNames, type NameOf } from './call.ts';
import { pageLines } from './lines.ts';
import type { Schemas } from './staff-client.ts';

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

const approvals = staffAction({
  options: { ...oneSite, '--ended': 'what became of requests, newest first', ...paging },
  help: 'list what waits for a second person, oldest first',
  errors: { 403: 'The site is one of the role, and a page has 1 to 100 entries.' },
  send(api, call) {
    const query = { siteid: siteOf(call), ended: flagOption(call, 'ended'), ...pageOf(call) };
    return api.GET('/staff/approvals', { params: { query } });
  },
  async lines(page, call) {
    const nameOf = await staffNames(call);
    const none = flagOption(call, 'ended') ? 'No request has ended.' : 'Nothing waits for a second person.';
    return pageLines(page, none, (approval) => approvalLine(approval, nameOf));
  },
});

const errors = {
  403: 'Another account than the one that asked has to approve, with the same role on the same site.',
  404: 'There is no such request.',
  409: 'It is decided, has expired, or can no longer be done: see covalence staff approvals.',
};

const approve = staffAction({
  takes: ['<request>'],
  options: { '--revision <revision>': 'refuse when the member has changed since the list' },
  help: 'approve the deletion or refund that a colleague asked for',
  errors,
  send(api, call) {
    const [approvalid = ''] = call.args;
    const body = { revision: stringOption(call, 'revision') };
    return api.POST('/staff/approvals/{approvalid}/approve', { params: { path: { approvalid } }, body });
  },
});

const refuse = staffAction({
  takes: ['<request>'],
  help: 'refuse what a colleague asked for, or take back an own request',
  errors,
  send: (api, { args: [approvalid = ''] }) =>
    api.POST('/staff/approvals/{approvalid}/refuse', { params: { path: { approvalid } } }),
});

/** The actions of `covalence staff` on what waits for a second person. */
export const approvalActions: Readonly<Record<string, Action>> = {
  approvals,
  'approve-request': approve,
  'refuse-request': refuse,
};
