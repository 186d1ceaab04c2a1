import { oneLine } from '@covalence/runtime/one-line';
import { z } from 'zod';
import type { Action, ActionCall } from '../operator-command.ts';
import { claimedLines, claimedSchema, pageLines } from '../staff-views.ts';
import { as, namesOf, open, pageOf, paging, segment, text } from './staff-decisions.ts';

const bansSchema = z.object({
  entries: z.array(
    z.object({
      ban_id: z.string(),
      kind: z.string(),
      siteid: z.int().nullable(),
      id: z.int().nullable(),
      photoid: z.int().nullable(),
      staff_id: z.string(),
      reason: z.string().nullable(),
      at: z.string(),
      expires_at: z.string(),
    }),
  ),
  next: z.string().nullable(),
});

/** Entries as lines; `names` are the staff accounts' by id. */
function banLines(
  { entries, next }: z.output<typeof bansSchema>,
  names: ReadonlyMap<string, string>,
): string[] {
  const lines = entries.map(({ ban_id, kind, siteid, id, photoid, staff_id, reason, at, expires_at }) =>
    [
      ban_id,
      photoid === null ? kind : `${kind} ${photoid}`,
      siteid === null ? 'all sites' : `site ${siteid}`,
      id === null ? 'an erased member' : `member ${id}`,
      `${at} by ${names.get(staff_id) ?? staff_id}, until ${expires_at}`,
      ...(reason === null ? [] : [oneLine(reason)]),
    ].join('  '),
  );
  return pageLines(lines, next, 'There are no entries.');
}

const bans: Action = {
  options: {
    ...as,
    '--site <siteid>': 'one site only',
    '--member <number>': 'entries of one member only',
    '--matches <number>': 'entries that match this member or a photo of theirs',
    ...paging,
  },
  help: 'list the ban list, newest first',
  missing: 'There is no such member on the sites of the role.',
  refused: 'Members are numbers, the site is one of the role, and a page has 1 to 100 entries.',
  async run(call) {
    const api = await open(call);
    const query = {
      siteid: text(call, 'site'),
      member: text(call, 'member'),
      matches: text(call, 'matches'),
      ...pageOf(call),
    };
    const data = await api.get('/staff/bans', query, bansSchema);
    return { lines: banLines(data, await namesOf(call)), data };
  },
};

const unban: Action = {
  takes: ['<ban>'],
  options: as,
  help: 'remove an entry of the ban list',
  missing: 'There is no such entry.',
  refused: 'An entry has a UUID; one for all sites needs the role on every site.',
  async run(call) {
    const api = await open(call);
    const data = await api.delete(`/staff/bans/${segment(call.args[0])}`, z.object({}));
    return { lines: ['Done.'], data };
  },
};

/** The entry that a call names. */
const named = ({ args: [kind, id] }: ActionCall) => ({
  ...(kind !== undefined && { kind }),
  ...(id !== undefined && { id }),
});

const claim: Action = {
  takes: ['<profile|text|photo|report>', '[member|report]'],
  options: {
    ...as,
    '--site <siteid>': 'one site only',
    '--take-over': 'also from somebody else; admin only',
  },
  help: 'claim an entry of the queue, by default the oldest that nobody has claimed, and show it',
  missing: 'This entry is not in the queue.',
  refused: 'The queue is profile, text, photo or report, and the site one of the role.',
  changed: 'Somebody else has claimed it.',
  async run(call) {
    const api = await open(call);
    const siteid = text(call, 'site');
    const body = {
      ...named(call),
      ...(siteid !== undefined && { siteid }),
      ...(call.options['takeOver'] === true && { take_over: true }),
    };
    const data = await api.post('/staff/queue/claim', body, claimedSchema);
    return { lines: claimedLines(data), data };
  },
};

const release: Action = {
  takes: ['[profile|text|photo|report]', '[member|report]'],
  options: as,
  help: 'give a claimed entry back, by default all',
  missing: 'There is no such member.',
  refused: 'Name the queue and the member or report, or neither.',
  async run(call) {
    const api = await open(call);
    const data = await api.post('/staff/queue/release', named(call), z.object({}));
    return { lines: ['Done.'], data };
  },
};

/** The actions of `covalence staff` on claims and the ban list. */
export const staffBans: Readonly<Record<string, Action>> = { claim, release, bans, unban };
