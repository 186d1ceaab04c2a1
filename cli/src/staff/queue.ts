import { isMap } from '@covalence/contract/is-map';
import { oneLine } from '@covalence/runtime/one-line';
import { flagOption, stringOption, type Action, type ActionCall } from '../operator-command.ts';
import { oneSite, pageOf, paging, siteOf, staffAction } from './call.ts';
import { headline, pageLines, photoLines, textLines, waitingLines } from './lines.ts';
import type { Schemas } from './staff-client.ts';

/** An entry of the queue as lines. */
function entryLines(entry: Schemas['StaffQueueEntry']): string[] {
  const { since, report_id, reporter, reason, texts, texts_to_review, flags, photos, revision } = entry;
  return [
    `${headline(entry)}  since ${since}`,
    ...(report_id === undefined
      ? []
      : [`    report ${report_id} by ${reporter ?? ''}: ${oneLine(reason ?? '')}`]),
    ...(isMap(texts) ? textLines(texts, flags) : waitingLines(texts_to_review ?? [])),
    ...photoLines(photos),
    ...(revision === undefined ? [] : [`    revision ${revision}`]),
  ];
}

const flagged = (call: ActionCall): boolean | undefined => {
  if (flagOption(call, 'flagged')) return true;
  return flagOption(call, 'unflagged') ? false : undefined;
};

/** Options that choose and order entries, of the list and of the next claim. */
const filters = {
  ...oneSite,
  '--older-than <seconds>': 'entries that have waited at least this long',
  '--newer-than <seconds>': 'entries that have waited at most this long',
  '--flagged': 'only entries with contact data in texts, on the ban list, or with signals of a scam',
  '--unflagged': 'only the other entries',
  '--category <category>': 'reports of one category only, such as scam',
  '--sort <age|risk>': 'the oldest first, or before them the flagged ones',
};

const filtersOf = (call: ActionCall) => ({
  siteid: siteOf(call),
  older_than: stringOption(call, 'olderThan'),
  newer_than: stringOption(call, 'newerThan'),
  flagged: flagged(call),
  category: stringOption(call, 'category'),
  sort: stringOption(call, 'sort'),
});

const queue = staffAction({
  takes: ['<profile|text|photo|report>'],
  options: {
    ...filters,
    ...paging,
  },
  help: 'list entries that wait for moderation',
  errors: {
    403: 'The queue is profile, text, photo or report; see covalence staff queue --help for the filters.',
  },
  send(api, call) {
    const query = { kind: call.args[0] ?? '', ...filtersOf(call), ...pageOf(call) };
    return api.GET('/staff/queue', { params: { query } });
  },
  lines: (page) => pageLines(page, 'The queue is empty.', entryLines),
});

type AppealsLine = Schemas['StaffAppealsLine'];

const countLines = (kind: string, { siteid, waiting, oldest }: AppealsLine, claimed = 0): string[] =>
  waiting > 0 ? [`${kind}  site ${siteid}  ${waiting} wait, ${claimed} claimed, since ${oldest ?? ''}`] : [];

const summary = staffAction({
  options: oneSite,
  help: 'count what waits, by kind and site',
  errors: { 403: 'The site is one of the role.' },
  send: (api, call) => api.GET('/staff/queue/summary', { params: { query: { siteid: siteOf(call) } } }),
  lines({ queues, appeals }) {
    const lines = [
      ...queues.flatMap((line) => countLines(line.kind, line, line.claimed)),
      ...appeals.flatMap((line) => countLines('appeal', line)),
    ];
    return lines.length ? lines : ['Nothing waits.'];
  },
});

const claim = staffAction({
  takes: ['<profile|text|photo|report>', '[member|report]'],
  options: { ...filters, '--take-over': 'also from somebody else; admin only' },
  help: 'claim an entry of the queue, by default the first that nobody has claimed, and show it',
  errors: {
    403: 'The queue is profile, text, photo or report; see covalence staff claim --help for the filters.',
    404: 'This entry is not in the queue.',
    409: 'Somebody else has claimed it.',
  },
  send(api, call) {
    const [kind = '', id] = call.args;
    const body = { kind, id, ...filtersOf(call), take_over: flagOption(call, 'takeOver') };
    return api.POST('/staff/queue/claim', { body });
  },
  lines: ({ entry }) => (entry ? entryLines(entry) : ['Nothing waits that nobody has claimed.']),
});

const release = staffAction({
  takes: ['[profile|text|photo|report]', '[member|report]'],
  help: 'give a claimed entry back, by default all',
  errors: {
    403: 'Name the queue and the member or report, or neither.',
    404: 'There is no such member.',
  },
  send: (api, { args: [kind, id] }) => api.POST('/staff/queue/release', { body: { kind, id } }),
});

/** The actions of `covalence staff` on the queue of entries that wait for review. */
export const queueActions: Readonly<Record<string, Action>> = { queue, summary, claim, release };
