import { oneLine } from '@covalence/runtime/one-line';
import { stringOption, type Action } from '../operator-command.ts';
import { oneSite, pageOf, paging, siteOf, staffAction, staffNames, type NameOf } from './call.ts';
import { pageLines } from './lines.ts';
import type { Schemas } from './staff-client.ts';

function appealLines(appeal: Schemas['StaffAppeal'], nameOf: NameOf): string[] {
  const { appeal_id, id, reported, siteid, filed_at, text, own, in_force, later, erased, decision } = appeal;
  const { at, staff_id, action, reason, field, photoid, text: rejected, statement } = decision;
  const about = reported === undefined ? undefined : `about member ${reported}`;
  const what = [action, field, photoid, about].filter((part) => part !== undefined).join(' ');
  const why = [reason, statement?.text, statement?.facts, rejected].filter(
    (part) => part !== undefined && part !== null,
  );
  return [
    `${appeal_id}  member ${id}  site ${siteid}  since ${filed_at}${own ? '  (your decision)' : ''}`,
    `    ${what}  ${at} by ${nameOf(staff_id)}`,
    ...[...new Set(why)].map((part) => `      ${oneLine(part)}`),
    `    appeal: ${oneLine(text)}`,
    ...(erased ? ['    the member is erased: a grant ends the bans'] : []),
    ...(in_force ? [] : ['    a grant changes nothing: nothing of the decision is in force any more']),
    ...(later
      ? [`    stands also after a grant: ${later.action} ${later.at} by ${nameOf(later.staff_id)}`]
      : []),
  ];
}

const appeals = staffAction({
  options: { ...oneSite, ...paging },
  help: 'list the appeals that wait, oldest first',
  errors: { 403: 'The site is one of the role, and a page has 1 to 100 entries.' },
  send: (api, call) =>
    api.GET('/staff/appeals', { params: { query: { siteid: siteOf(call), ...pageOf(call) } } }),
  async lines(page, call) {
    const nameOf = await staffNames(call);
    return pageLines(page, 'No appeals wait.', (appeal) => appealLines(appeal, nameOf));
  },
});

const deciding = (outcome: 'grant' | 'refuse', help: string, forbidden: string): Action =>
  staffAction({
    takes: ['<appeal>'],
    options: {
      '--answer <text>': 'the answer to the member, in their language',
      '--reason-id <id>': 'a saved reason instead, in the language of the member',
    },
    help,
    errors: { 403: forbidden, 404: 'There is no such appeal.', 409: 'Somebody else has decided it.' },
    send(api, call) {
      const [appealid = ''] = call.args;
      const body = { answer: stringOption(call, 'answer'), reason_id: stringOption(call, 'reasonId') };
      return api.POST(`/staff/appeals/{appealid}/${outcome}`, { params: { path: { appealid } }, body });
    },
    lines({ taken_back, later }) {
      const left = later ? ` ${later.action} of ${later.at} stands.` : '';
      return [outcome === 'grant' && !taken_back ? `Granted; it changed nothing.${left}` : `Done.${left}`];
    },
  });

const another = 'The account that made the decision cannot decide on the appeal';

/** The actions of `covalence staff` on appeals. */
export const appealActions: Readonly<Record<string, Action>> = {
  appeals,
  'grant-appeal': deciding(
    'grant',
    'revert what a decision did, as far as it is in force, or open a report again',
    `${another}; a ban of every site needs the role on every site; an answer has 1 to 1,000 characters.`,
  ),
  'refuse-appeal': deciding(
    'refuse',
    'leave a decision; needs --answer or --reason-id',
    `${another}; a refusal needs an answer of 1 to 1,000 characters, or a saved reason that fits.`,
  ),
};
