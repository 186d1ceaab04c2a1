import { oneLine } from '@covalence/runtime/one-line';
import { text } from 'node:stream/consumers';
import { flagOption, type Action } from '../operator-command.ts';
import { oneSite, pageOf, paging, siteOf, staffAction, staffNames, type NameOf } from './call.ts';
import { headline, pageLines, photoLines, memberStatus, textLines, waitingLines } from './lines.ts';
import type { Schemas } from './staff-client.ts';

const missing = 'There is no such member, text, photo or report.';
const badPage = 'A page has 1 to 100 entries, and a cursor comes from the previous page.';

const find = staffAction({
  takes: ['<id|username|email|payment|device>', '<value|->'],
  options: oneSite,
  help: 'find members; - reads the value from standard input, which no list of processes shows',
  errors: {
    403: 'The kind is id, username, email, payment or device; the value has 1 to 2,048 characters; the site is one of the role.',
  },
  async send(api, call) {
    const [by = '', given = ''] = call.args;
    const value = given === '-' ? await text(process.stdin) : given;
    return api.POST('/staff/members/search', { body: { by, value, siteid: siteOf(call) } });
  },
  lines({ members, more }) {
    const lines = members.map(
      (member) =>
        `${member.id}  ${oneLine(member.username)}  ${memberStatus(member)}  site ${member.siteid}  registered ${member.date_registered}`,
    );
    if (!lines.length) return ['Nobody was found.'];
    return more ? [...lines, 'There are others: search more exactly.'] : lines;
  },
});

const strikeLines = ({ strikes }: Schemas['StaffMember']): string[] =>
  strikes
    ? [`    ${strikes.points} points${strikes.proposal === null ? '' : `: ${strikes.proposal} proposed`}`]
    : [];

const scamLines = ({ scam }: Schemas['StaffMember']): string[] =>
  scam
    ? [
        `    signals of a scam (${scam.mode}, rules ${scam.version}): ${scam.score} of ${scam.threshold}`,
        ...scam.reasons.map(
          ({ signal, weight, count, last }) =>
            `      ${signal}  +${weight}  ${count} times${last === null ? '' : `, last ${last}`}`,
        ),
      ]
    : [];

/** A member as lines. */
const memberLines = (member: Schemas['StaffMember']): string[] => [
  headline(member),
  `    ${member.member_id}  registered ${member.date_registered}`,
  ...Object.entries(member.waiting).map(([kind, since]) => `    ${kind} waits since ${since}`),
  ...strikeLines(member),
  ...scamLines(member),
  ...textLines(member.texts, member.flags),
  ...(member.texts_to_review.length ? ['  to review:', ...waitingLines(member.texts_to_review)] : []),
  ...photoLines(member.photos),
  `    revision ${member.revision}`,
];

const show = staffAction({
  takes: ['<member>'],
  help: 'show a member, by number or UUID, with all texts and photos',
  errors: { 404: missing },
  send: (api, { args: [id = ''] }) => api.GET('/staff/members/{id}', { params: { path: { id } } }),
  lines: memberLines,
});

const decisionLine = (entry: Schemas['StaffHistoryEntry'], nameOf: NameOf): string => {
  const { at, staff_id, approved_by, action, reason, field, photoid, before, after } = entry;
  return [
    at,
    nameOf(staff_id),
    approved_by !== undefined && `approved by ${nameOf(approved_by)}`,
    action,
    field,
    photoid,
    before !== undefined && `${before} → ${after ?? ''}`,
    reason !== null && oneLine(reason),
  ]
    .filter((part) => part !== undefined && part !== false)
    .join('  ');
};

const history = staffAction({
  takes: ['<member>'],
  options: paging,
  help: 'list the decisions on a member, newest first',
  errors: { 403: badPage, 404: missing },
  send(api, call) {
    const [id = ''] = call.args;
    return api.GET('/staff/members/{id}/history', { params: { path: { id }, query: pageOf(call) } });
  },
  async lines(page, call) {
    const nameOf = await staffNames(call);
    return pageLines(page, 'No decisions yet.', (entry) => decisionLine(entry, nameOf));
  },
});

const notes = staffAction({
  takes: ['<member>'],
  options: paging,
  help: 'list the notes about a member, newest first',
  errors: { 403: badPage, 404: missing },
  send(api, call) {
    const [id = ''] = call.args;
    return api.GET('/staff/members/{id}/notes', { params: { path: { id }, query: pageOf(call) } });
  },
  async lines(page, call) {
    const nameOf = await staffNames(call);
    return pageLines(page, 'No notes yet.', ({ at, staff_id, about_others, text: written }) =>
      [at, nameOf(staff_id), ...(about_others ? ['about others'] : []), oneLine(written)].join('  '),
    );
  },
});

const note = staffAction({
  takes: ['<member>', '<text>'],
  options: { '--about-others': 'leave it out of the export of the member' },
  help: 'add a note about a member, which the member gets with the export',
  errors: { 403: 'A note has 1 to 2,000 characters.', 404: missing, 409: 'There are 500 notes already.' },
  send(api, call) {
    const [id = '', written = ''] = call.args;
    const body = { text: written, about_others: flagOption(call, 'aboutOthers') };
    return api.POST('/staff/members/{id}/notes', { params: { path: { id } }, body });
  },
});

/** The actions of `covalence staff` that find, show and annotate members. */
export const memberActions: Readonly<Record<string, Action>> = { find, show, history, notes, note };
