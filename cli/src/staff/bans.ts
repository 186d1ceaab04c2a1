import { oneLine } from '@covalence/runtime/one-line';
import { stringOption, type Action } from '../operator-command.ts';
import { oneSite, pageOf, paging, siteOf, staffAction, staffNames, type NameOf } from './call.ts';
import { pageLines } from './lines.ts';
import type { Schemas } from './staff-client.ts';

const banLine = (ban: Schemas['StaffBan'], nameOf: NameOf): string => {
  const { ban_id, kind, siteid, id, photoid, staff_id, reason, at, expires_at } = ban;
  return [
    ban_id,
    photoid === null ? kind : `${kind} ${photoid}`,
    siteid === null ? 'all sites' : `site ${siteid}`,
    id === null ? 'an erased member' : `member ${id}`,
    `${at} by ${nameOf(staff_id)}, until ${expires_at}`,
    ...(reason === null ? [] : [oneLine(reason)]),
  ].join('  ');
};

const bans = staffAction({
  options: {
    ...oneSite,
    '--member <number>': 'entries of one member only',
    '--matches <number>': 'entries that match this member or a photo of theirs',
    ...paging,
  },
  help: 'list the ban list, newest first',
  errors: {
    403: 'Members are numbers, the site is one of the role, and a page has 1 to 100 entries.',
    404: 'There is no such member on the sites of the role.',
  },
  send(api, call) {
    const query = {
      siteid: siteOf(call),
      member: stringOption(call, 'member'),
      matches: stringOption(call, 'matches'),
      ...pageOf(call),
    };
    return api.GET('/staff/bans', { params: { query } });
  },
  async lines(page, call) {
    const nameOf = await staffNames(call);
    return pageLines(page, 'There are no entries.', (ban) => banLine(ban, nameOf));
  },
});

const unban = staffAction({
  takes: ['<ban>'],
  help: 'remove an entry of the ban list',
  errors: {
    403: 'An entry has a UUID; one for all sites needs the role on every site.',
    404: 'There is no such entry.',
  },
  send: (api, { args: [banid = ''] }) => api.DELETE('/staff/bans/{banid}', { params: { path: { banid } } }),
});

/** The actions of `covalence staff` on the ban list. */
export const banActions: Readonly<Record<string, Action>> = { bans, unban };
