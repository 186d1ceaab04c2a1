import { text as readText } from 'node:stream/consumers';
import type { Action, ActionCall } from '../operator-command.ts';
import { openStaffApi } from '../staff-api.ts';
import {
  decidedLines,
  decidedSchema,
  foundLines,
  foundSchema,
  historyLines,
  historySchema,
  memberLines,
  memberSchema,
  noteLines,
  noteSchema,
  notesSchema,
  queueLines,
  queueSchema,
  summaryLines,
  summarySchema,
  undoneSchema,
} from '../staff-views.ts';

export const as = { '--as <username>': 'the staff account that acts' };
export const paging = {
  '--page-size <count>': 'entries of a page, 1 to 100 (default 20)',
  '--cursor <cursor>': 'continue after the previous page',
};
const missing = 'There is no such member, text, photo or report.';
const changed = 'It has changed since: look again with covalence staff show.';

export const text = ({ options }: Pick<ActionCall, 'options'>, name: string): string | undefined => {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
};

/** The page that the options of `paging` choose. */
export const pageOf = (call: Pick<ActionCall, 'options'>) => ({
  pagesize: text(call, 'pageSize'),
  cursor: text(call, 'cursor'),
});

export const open = (call: ActionCall) => openStaffApi(call.reach, text(call, 'as'));

const flagged = ({ options }: ActionCall) => {
  if (options['flagged'] === true) return 'true';
  return options['unflagged'] === true ? 'false' : undefined;
};

const queue: Action = {
  takes: ['<profile|text|photo|report>'],
  options: {
    ...as,
    '--site <siteid>': 'one site only',
    '--older-than <seconds>': 'entries that have waited at least this long',
    '--newer-than <seconds>': 'entries that have waited at most this long',
    '--flagged': 'only entries with contact data in texts, on the ban list, or with signals of a scam',
    '--unflagged': 'only the other entries',
    '--category <category>': 'reports of one category only, such as scam',
    ...paging,
  },
  help: 'list entries that wait for moderation, oldest first',
  refused: 'The queue is profile, text, photo or report; see covalence staff queue --help for the filters.',
  async run(call) {
    const api = await open(call);
    const query = {
      kind: call.args[0],
      siteid: text(call, 'site'),
      older_than: text(call, 'olderThan'),
      newer_than: text(call, 'newerThan'),
      flagged: flagged(call),
      category: text(call, 'category'),
      ...pageOf(call),
    };
    const data = await api.get('/staff/queue', query, queueSchema);
    return { lines: queueLines(data), data };
  },
};

export const segment = (given: string | undefined) => encodeURIComponent(given ?? '');

const show: Action = {
  takes: ['<member>'],
  options: as,
  help: 'show a member, by number or UUID, with all texts and photos',
  missing,
  async run(call) {
    const api = await open(call);
    const data = await api.get(`/staff/members/${segment(call.args[0])}`, {}, memberSchema);
    return { lines: memberLines(data), data };
  },
};

const find: Action = {
  takes: ['<id|username|email|payment|device>', '<value|->'],
  options: { ...as, '--site <siteid>': 'one site only' },
  help: 'find members; - reads the value from standard input, which no list of processes shows',
  refused:
    'The kind is id, username, email, payment or device; the value has 1 to 2,048 characters; the site is one of the role.',
  async run(call) {
    const api = await open(call);
    const [by, given = ''] = call.args;
    const value = given === '-' ? await readText(process.stdin) : given;
    const siteid = text(call, 'site');
    const body = { by, value, ...(siteid !== undefined && { siteid }) };
    const data = await api.post('/staff/members/search', body, foundSchema);
    return { lines: foundLines(data), data };
  },
};

/** Names of staff accounts by id. */
export async function namesOf({ reach }: ActionCall): Promise<ReadonlyMap<string, string>> {
  const { staff } = await reach('auth').peer.listStaff({});
  return new Map(staff.map(({ staff_id, username }) => [staff_id, username]));
}

const history: Action = {
  takes: ['<member>'],
  options: { ...as, ...paging },
  help: 'list the decisions on a member, newest first',
  missing,
  refused: 'A page has 1 to 100 entries, and a cursor comes from the previous page.',
  async run(call) {
    const api = await open(call);
    const data = await api.get(
      `/staff/members/${segment(call.args[0])}/history`,
      pageOf(call),
      historySchema,
    );
    return { lines: historyLines(data, await namesOf(call)), data };
  },
};

const summary: Action = {
  options: { ...as, '--site <siteid>': 'one site only' },
  help: 'count what waits, by kind and site',
  refused: 'The site is one of the role.',
  async run(call) {
    const api = await open(call);
    const data = await api.get('/staff/queue/summary', { siteid: text(call, 'site') }, summarySchema);
    return { lines: summaryLines(data), data };
  },
};

const undo: Action = {
  takes: ['<decision>'],
  options: as,
  help: 'undo an approval or rejection of the last 30 seconds, by the decision_id of its --json',
  missing: 'There is no such decision, or its 30 seconds have passed.',
  refused: 'Only the account that made a decision, or admin, can undo it.',
  changed,
  async run(call) {
    const api = await open(call);
    const data = await api.post(`/staff/decisions/${segment(call.args[0])}/undo`, {}, undoneSchema);
    return { lines: ['Done.'], data };
  },
};

const notes: Action = {
  takes: ['<member>'],
  options: { ...as, ...paging },
  help: 'list the notes about a member, newest first',
  missing,
  refused: 'A page has 1 to 100 entries, and a cursor comes from the previous page.',
  async run(call) {
    const api = await open(call);
    const data = await api.get(`/staff/members/${segment(call.args[0])}/notes`, pageOf(call), notesSchema);
    return { lines: noteLines(data, await namesOf(call)), data };
  },
};

const note: Action = {
  takes: ['<member>', '<text>'],
  options: { ...as, '--about-others': 'leave it out of the export of the member' },
  help: 'add a note about a member, which the member gets with the export',
  missing,
  refused: 'A note has 1 to 2,000 characters.',
  changed: 'There are 500 notes already.',
  async run(call) {
    const api = await open(call);
    const [id, written] = call.args;
    const body = { text: written, about_others: call.options['aboutOthers'] === true };
    const data = await api.post(`/staff/members/${segment(id)}/notes`, body, noteSchema);
    return { lines: ['Done.'], data };
  },
};

interface Decision {
  readonly takes: readonly string[];
  /** The path of the endpoint. */
  readonly path: (...args: readonly string[]) => string;
  readonly help: string;
  readonly refused?: string;
  /** Options that only this decision has. */
  readonly more?: Readonly<Record<string, string>>;
}

const banOptions = {
  '--ban': 'also add email address and photos to the ban list of the site',
  '--all-sites': 'with --ban: to that of every site',
};

const mistakenOption = { '--mistaken': 'the suspension was a mistake: take it back, with its points' };

const removeBans = { '--remove-bans': 'also remove the entries of the ban list that matched' };

const needsReason = 'A rejection needs --reason, of 1 to 1,000 characters.';
const tooLong = 'A reason has 1 to 1,000 characters.';
const nameTaken = 'Another member has taken this username (10101), or the reason is too long.';

const deciding = ({ takes, path, help, refused = tooLong, more }: Decision): Action => ({
  takes,
  options: {
    ...as,
    '--reason <text>': 'the reason, for the history; the member reads it in the export',
    '--reason-id <id>': 'a saved reason instead, in the language of the member',
    '--facts <text>': 'with a restriction: the facts, as the member is told of them',
    '--report <report>': 'with a restriction: the report that led to it',
    '--revision <revision>': 'refuse when the revision has changed since it was shown',
    ...more,
  },
  help,
  missing,
  refused,
  changed,
  async run(call) {
    const api = await open(call);
    const { ban, allSites: all_sites, removeBans: remove_bans, mistaken } = call.options;
    const sent = {
      reason: text(call, 'reason'),
      reason_id: text(call, 'reasonId'),
      facts: text(call, 'facts'),
      report_id: text(call, 'report'),
      revision: text(call, 'revision'),
      outcome: text(call, 'outcome'),
    };
    const body = {
      ...Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)),
      ...(ban === true && { ban }),
      ...(all_sites === true && { all_sites }),
      ...(remove_bans === true && { remove_bans }),
      ...(mistaken === true && { mistaken }),
    };
    const data = await api.post(path(...call.args.map(segment)), body, decidedSchema);
    return { lines: decidedLines(data), data };
  },
});

const member = (action: string, help: string, more: Pick<Decision, 'refused' | 'more'> = {}): Action =>
  deciding({ takes: ['<member>'], path: (id) => `/staff/members/${id}/${action}`, help, ...more });

const onText = (action: string, help: string): Action =>
  deciding({
    takes: ['<member>', '<field>'],
    path: (id, field) => `/staff/members/${id}/texts/${field}/${action}`,
    help,
    refused: nameTaken,
  });

const onPhoto = (action: string, help: string, more: Pick<Decision, 'more'> = {}): Action =>
  deciding({ takes: ['<photo>'], path: (photo) => `/staff/photos/${photo}/${action}`, help, ...more });

/** The actions of `covalence staff` that call /staff endpoints; the history uses the same names. */
export const staffDecisions: Readonly<Record<string, Action>> = {
  queue,
  summary,
  find,
  show,
  history,
  undo,
  notes,
  note,
  approve: member('approve', 'approve a profile', { more: removeBans }),
  reject: member('reject', 'reject a profile; needs --reason', { refused: needsReason }),
  suspend: member('suspend', 'end all tokens, sessions and sockets of a member at once', {
    more: banOptions,
  }),
  unsuspend: member('unsuspend', 'accept sign-ins of a suspended member again', {
    more: mistakenOption,
  }),
  delete: member('delete', 'delete a member, who is erased after 30 days', { more: banOptions }),
  undelete: member('undelete', 'undo a deletion by staff, until the erasure begins'),
  'approve-text': onText('approve', 'publish a text that waits'),
  'reject-text': onText('reject', 'drop a text that waits, or remove a flagged one'),
  'approve-photo': onPhoto('approve', 'show a photo to other members', { more: removeBans }),
  'reject-photo': onPhoto('reject', 'hide a photo from other members'),
  'close-report': deciding({
    takes: ['<report>'],
    path: (report) => `/staff/reports/${report}/close`,
    help: 'close a report',
    more: { '--outcome <measures|none>': 'what the reporter is told' },
  }),
};
