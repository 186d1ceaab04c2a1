import { listStaff } from '@covalence/contract/internal/auth-api';
import type { Action, ActionCall } from './operator-command.ts';
import { openStaffApi } from './staff-api.ts';
import {
  decidedSchema,
  historyLines,
  historySchema,
  memberLines,
  memberSchema,
  queueLines,
  queueSchema,
} from './staff-views.ts';

type Options = NonNullable<Action['options']>;

const as: Options = { as: { type: 'string', help: 'the staff account that this is done by' } };
const paging: Options = {
  'page-size': { type: 'string', help: 'entries, 1 to 100 (20)' },
  cursor: { type: 'string', help: 'where the last page said that more is' },
};
const missing = 'There is no such member, text, photo or report.';
const changed = 'It is not as it was any more: look again with pnpm staff show.';

const text = ({ options }: Pick<ActionCall, 'options'>, name: string): string | undefined => {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
};

const open = (call: ActionCall) => openStaffApi(call.reach, text(call, 'as'));

const flagged = ({ options }: ActionCall) => {
  if (options['flagged'] === true) return 'true';
  return options['unflagged'] === true ? 'false' : undefined;
};

const queue: Action = {
  takes: ['profile|text|photo|report'],
  options: {
    ...as,
    site: { type: 'string', help: 'one site only' },
    'older-than': { type: 'string', help: 'what waits for so many seconds or longer' },
    'newer-than': { type: 'string', help: 'what waits for so many seconds or less' },
    flagged: { type: 'boolean', help: 'with contact data in texts' },
    unflagged: { type: 'boolean', help: 'without' },
    ...paging,
  },
  help: 'what waits for a person, oldest first',
  refused: 'The queue is of profile, text, photo or report; see pnpm staff --help for the filters.',
  async run(call) {
    const api = await open(call);
    const query = {
      kind: call.given[0],
      siteid: text(call, 'site'),
      older_than: text(call, 'older-than'),
      newer_than: text(call, 'newer-than'),
      flagged: flagged(call),
      pagesize: text(call, 'page-size'),
      cursor: text(call, 'cursor'),
    };
    return queueLines(await api.get('/staff/queue', query, queueSchema));
  },
};

const segment = (given: string | undefined) => encodeURIComponent(given ?? '');

const show: Action = {
  takes: ['member'],
  options: as,
  help: 'a member with all texts and photos; by number or UUID',
  missing,
  async run(call) {
    const api = await open(call);
    return memberLines(await api.get(`/staff/members/${segment(call.given[0])}`, {}, memberSchema));
  },
};

const history: Action = {
  takes: ['member'],
  options: { ...as, ...paging },
  help: 'who did what, when and why, newest first',
  missing,
  refused: 'A page has 1 to 100 entries, and a cursor is what the last page said.',
  async run(call) {
    const api = await open(call);
    const query = { pagesize: text(call, 'page-size'), cursor: text(call, 'cursor') };
    const page = await api.get(`/staff/members/${segment(call.given[0])}/history`, query, historySchema);
    const { staff } = await call.reach('auth').peer.call('/internal/staff/list', {}, listStaff.output);
    return historyLines(page, new Map(staff.map(({ staff_id, username }) => [staff_id, username])));
  },
};

interface Decision {
  readonly takes: readonly string[];
  /** The path of what was given. */
  readonly path: (...given: readonly string[]) => string;
  readonly help: string;
  readonly refused?: string;
}

const needsReason = 'A rejection needs --reason, of 1 to 1,000 characters.';
const tooLong = 'A reason has 1 to 1,000 characters.';
const nameGone = 'Somebody else has this username by now (10101), or the reason is too long.';

const deciding = ({ takes, path, help, refused = tooLong }: Decision): Action => ({
  takes,
  options: {
    ...as,
    reason: { type: 'string', help: 'why; it stands in the history' },
    revision: { type: 'string', help: 'of what was looked at: refuses if it is another by now' },
  },
  help,
  missing,
  refused,
  changed,
  async run(call) {
    const api = await open(call);
    const [reason, revision] = [text(call, 'reason'), text(call, 'revision')];
    const body = { ...(reason !== undefined && { reason }), ...(revision !== undefined && { revision }) };
    const answer = await api.post(path(...call.given.map(segment)), body, decidedSchema);
    return [answer.changed ? 'Done.' : 'It was so already.'];
  },
});

const member = (action: string, help: string, refused = tooLong): Action =>
  deciding({ takes: ['member'], path: (id) => `/staff/members/${id}/${action}`, help, refused });

const onText = (action: string, help: string): Action =>
  deciding({
    takes: ['member', 'field'],
    path: (id, field) => `/staff/members/${id}/texts/${field}/${action}`,
    help,
    refused: nameGone,
  });

const onPhoto = (action: string, help: string): Action =>
  deciding({ takes: ['photo'], path: (photo) => `/staff/photos/${photo}/${action}`, help });

/** The actions of `pnpm staff` that do what the /staff endpoints do; named as the history names them. */
export const staffDecisions: Readonly<Record<string, Action>> = {
  queue,
  show,
  history,
  approve: member('approve', 'approves a profile'),
  reject: member('reject', 'rejects a profile; needs --reason', needsReason),
  suspend: member('suspend', 'ends tokens, sessions and sockets at once'),
  unsuspend: member('unsuspend', 'lets a suspended member sign in again'),
  delete: member('delete', 'deletes a member for good'),
  'approve-text': onText('approve', 'makes the text that waits the current one'),
  'reject-text': onText('reject', 'drops the text that waits, or takes a flagged one away'),
  'approve-photo': onPhoto('approve', 'shows a photo to others'),
  'reject-photo': onPhoto('reject', 'shows a photo to nobody else'),
  'close-report': deciding({
    takes: ['report'],
    path: (report) => `/staff/reports/${report}/close`,
    help: 'the report was looked at',
  }),
};
