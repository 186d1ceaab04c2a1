import { oneLine } from '@covalence/runtime/one-line';
import type { Action, ActionCall } from '../operator-command.ts';
import { staffAction } from './call.ts';
import type { Schemas } from './staff-client.ts';

const supportOnly = 'You need the role support on the site of the member.';
const missing = 'There is no such member, or no such sign-in.';

/** The path parameter of a call about the member that the first argument names. */
const memberIn = ({ args: [id = ''] }: ActionCall) => ({ path: { id } });

const sessionLine = (session: Schemas['StaffSession']): string =>
  [
    session.id,
    ...[session.client, session.platform, session.device_name, session.browser].flatMap((part) =>
      part === null ? [] : [oneLine(part)],
    ),
    `since ${session.since}`,
    `last used ${session.last_used}`,
  ].join('  ');

const recoveryLine = ({ from, until, by_support }: Schemas['StaffRecovery']): string =>
  `recovery begun by ${by_support ? 'customer service' : 'mail'}: its link works from ${from} until ${until}`;

const sessions = staffAction({
  service: 'auth',
  takes: ['<member>'],
  help: 'list the sign-ins of a member, last used first, and the recovery of the account',
  errors: { 404: missing },
  send: (api, call) => api.GET('/staff/members/{id}/sessions', { params: memberIn(call) }),
  lines(data) {
    const lines = data.sessions.map(sessionLine);
    const recovery = data.recovery ? [recoveryLine(data.recovery)] : [];
    return [...(lines.length ? lines : ['Signed in nowhere.']), ...recovery];
  },
});

const endSessions = staffAction({
  service: 'auth',
  takes: ['<member>', '[session]'],
  help: 'end every sign-in of a member, or one',
  errors: { 404: missing },
  send: (api, { args: [id = '', sessionid] }) =>
    sessionid === undefined
      ? api.DELETE('/staff/members/{id}/sessions', { params: { path: { id } } })
      : api.DELETE('/staff/members/{id}/sessions/{sessionid}', { params: { path: { id, sessionid } } }),
});

const recover = staffAction({
  service: 'auth',
  takes: ['<member>'],
  help: 'mail a member who lost every way to sign in a link that opens the account after a delay',
  notes:
    'Verify the person first. The link goes to the address of the account, a former one for 7 days after a change.',
  errors: { 403: supportOnly, 404: missing },
  send: (api, call) => api.POST('/staff/members/{id}/recovery', { params: memberIn(call) }),
  lines: (recovery) => [recoveryLine(recovery)],
});

const stopRecovery = staffAction({
  service: 'auth',
  takes: ['<member>'],
  help: 'stop the recovery of a member: its link no longer works',
  errors: { 403: supportOnly, 404: 'There is no such member, or no recovery.' },
  send: (api, call) => api.DELETE('/staff/members/{id}/recovery', { params: memberIn(call) }),
});

/** The actions of `covalence staff` on the sign-ins of members. */
export const signInActions: Readonly<Record<string, Action>> = {
  sessions,
  'end-sessions': endSessions,
  recover,
  'stop-recovery': stopRecovery,
};
