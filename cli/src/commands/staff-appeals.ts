import { oneLine } from '@covalence/runtime/one-line';
import { z } from 'zod';
import type { Action } from '../operator-command.ts';
import { decisionSchema, pageLines } from '../staff-views.ts';
import { as, namesOf, open, pageOf, paging, segment, text } from './staff-decisions.ts';

const appealsSchema = z.object({
  entries: z.array(
    z.object({
      appeal_id: z.string(),
      id: z.int(),
      siteid: z.int(),
      filed_at: z.string(),
      text: z.string(),
      own: z.boolean(),
      decision: decisionSchema,
    }),
  ),
  next: z.string().nullable(),
});

/** An appeal as lines; `names` are the staff accounts' by id. */
function appealLines(
  {
    appeal_id,
    id,
    siteid,
    filed_at,
    text: words,
    own,
    decision,
  }: z.output<typeof appealsSchema>['entries'][number],
  names: ReadonlyMap<string, string>,
): string[] {
  const { at, staff_id, action, reason, field, photoid, text: rejected, statement } = decision;
  const what = [action, field, photoid].filter((part) => part !== undefined).join(' ');
  const why = [reason, statement?.text, statement?.facts, rejected].filter(
    (part) => part !== undefined && part !== null,
  );
  return [
    `${appeal_id}  member ${id}  site ${siteid}  since ${filed_at}${own ? '  (your decision)' : ''}`,
    `    ${what}  ${at} by ${names.get(staff_id) ?? staff_id}`,
    ...[...new Set(why)].map((part) => `      ${oneLine(part)}`),
    `    appeal: ${oneLine(words)}`,
  ];
}

const appeals: Action = {
  options: { ...as, '--site <siteid>': 'one site only', ...paging },
  help: 'list the appeals that wait, oldest first',
  refused: 'The site is one of the role, and a page has 1 to 100 entries.',
  async run(call) {
    const api = await open(call);
    const query = { siteid: text(call, 'site'), ...pageOf(call) };
    const data = await api.get('/staff/appeals', query, appealsSchema);
    const names = await namesOf(call);
    const lines = data.entries.flatMap((entry) => appealLines(entry, names));
    return { lines: pageLines(lines, data.next, 'No appeals wait.'), data };
  },
};

const deciding = (outcome: 'grant' | 'refuse', help: string, refused: string): Action => ({
  takes: ['<appeal>'],
  options: {
    ...as,
    '--answer <text>': 'the answer to the member, in their language',
    '--reason-id <id>': 'a saved reason instead, in the language of the member',
  },
  help,
  missing: 'There is no such appeal.',
  refused,
  changed: 'Somebody else has decided it.',
  async run(call) {
    const api = await open(call);
    const answer = text(call, 'answer');
    const reason_id = text(call, 'reasonId');
    const body = { ...(answer !== undefined && { answer }), ...(reason_id !== undefined && { reason_id }) };
    const path = `/staff/appeals/${segment(call.args[0])}/${outcome}`;
    const data = await api.post(path, body, z.object({ id: z.int() }));
    return { lines: ['Done.'], data };
  },
});

const another = 'The account that made the decision cannot decide on the appeal';

/** The actions of `covalence staff` on appeals. */
export const staffAppeals: Readonly<Record<string, Action>> = {
  appeals,
  'grant-appeal': deciding(
    'grant',
    'revert what a decision did, as far as it is in force',
    `${another}; a ban of every site needs the role on every site; an answer has 1 to 1,000 characters.`,
  ),
  'refuse-appeal': deciding(
    'refuse',
    'leave a decision; needs --answer or --reason-id',
    `${another}; a refusal needs an answer of 1 to 1,000 characters, or a saved reason that fits.`,
  ),
};
