import { isMap } from '@covalence/contract/is-map';
import { oneLine } from '@covalence/runtime/one-line';
import { flagOption, stringOption, type Action, type ActionCall } from '../operator-command.ts';
import { actingAs, oneSite, openClient, pageOf, paging, siteOf } from './call.ts';
import { headline, pageLines, photoLines, textLines, waitingLines } from './lines.ts';
import { dataOf, type Schemas } from './staff-client.ts';

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

const order = { '--sort <age|risk>': 'the oldest first, or before them the flagged ones' };

const queue: Action = {
  takes: ['<profile|text|photo|report>'],
  options: {
    ...actingAs,
    ...oneSite,
    '--older-than <seconds>': 'entries that have waited at least this long',
    '--newer-than <seconds>': 'entries that have waited at most this long',
    '--flagged': 'only entries with contact data in texts, on the ban list, or with signals of a scam',
    '--unflagged': 'only the other entries',
    '--category <category>': 'reports of one category only, such as scam',
    ...order,
    ...paging,
  },
  help: 'list entries that wait for moderation',
  errors: {
    403: 'The queue is profile, text, photo or report; see covalence staff queue --help for the filters.',
  },
  async run(call) {
    const api = await openClient(call);
    const query = {
      kind: call.args[0] ?? '',
      siteid: siteOf(call),
      older_than: stringOption(call, 'olderThan'),
      newer_than: stringOption(call, 'newerThan'),
      flagged: flagged(call),
      category: stringOption(call, 'category'),
      sort: stringOption(call, 'sort'),
      ...pageOf(call),
    };
    const data = await dataOf(api.GET('/staff/queue', { params: { query } }));
    return { lines: pageLines(data.entries.flatMap(entryLines), data.next, 'The queue is empty.'), data };
  },
};

type AppealsLine = Schemas['StaffAppealsLine'];

const countLines = (kind: string, { siteid, waiting, oldest }: AppealsLine, claimed = 0): string[] =>
  waiting > 0 ? [`${kind}  site ${siteid}  ${waiting} wait, ${claimed} claimed, since ${oldest ?? ''}`] : [];

const summary: Action = {
  options: { ...actingAs, ...oneSite },
  help: 'count what waits, by kind and site',
  errors: { 403: 'The site is one of the role.' },
  async run(call) {
    const api = await openClient(call);
    const query = { siteid: siteOf(call) };
    const data = await dataOf(api.GET('/staff/queue/summary', { params: { query } }));
    const lines = [
      ...data.queues.flatMap((line) => countLines(line.kind, line, line.claimed)),
      ...data.appeals.flatMap((line) => countLines('appeal', line)),
    ];
    return { lines: lines.length ? lines : ['Nothing waits.'], data };
  },
};

const claim: Action = {
  takes: ['<profile|text|photo|report>', '[member|report]'],
  options: { ...actingAs, ...oneSite, ...order, '--take-over': 'also from somebody else; admin only' },
  help: 'claim an entry of the queue, by default the first that nobody has claimed, and show it',
  errors: {
    403: 'The queue is profile, text, photo or report, and the site one of the role.',
    404: 'This entry is not in the queue.',
    409: 'Somebody else has claimed it.',
  },
  async run(call) {
    const api = await openClient(call);
    const [kind = '', id] = call.args;
    const body = {
      kind,
      id,
      siteid: siteOf(call),
      sort: stringOption(call, 'sort'),
      take_over: flagOption(call, 'takeOver'),
    };
    const data = await dataOf(api.POST('/staff/queue/claim', { body }));
    return { lines: data.entry ? entryLines(data.entry) : ['Nothing waits that nobody has claimed.'], data };
  },
};

const release: Action = {
  takes: ['[profile|text|photo|report]', '[member|report]'],
  options: actingAs,
  help: 'give a claimed entry back, by default all',
  errors: {
    403: 'Name the queue and the member or report, or neither.',
    404: 'There is no such member.',
  },
  async run(call) {
    const api = await openClient(call);
    const [kind, id] = call.args;
    const data = await dataOf(api.POST('/staff/queue/release', { body: { kind, id } }));
    return { lines: ['Done.'], data };
  },
};

/** The actions of `covalence staff` on the queue of entries that wait for review. */
export const queueActions: Readonly<Record<string, Action>> = { queue, summary, claim, release };
