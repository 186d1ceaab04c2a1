import { stringOption, type Action } from '../operator-command.ts';
import { openClient } from './call.ts';
import { dataOf, type Schemas } from './staff-client.ts';

const pagesize = 100;

/** `covalence staff audit`: reads the whole log that the filters select, page by page. */
export const audit: Action = {
  options: {
    '--as <username>': 'the staff account that reads',
    '--by <username>': 'calls of one staff account',
    '--about <id>': 'calls about one member (number or UUID), photo or report',
    '--call <call>': "calls of one kind, e.g. 'POST /staff/members/:id/suspend'",
    '--since <time>': 'calls since a time, e.g. 2026-11-01T00:00:00Z',
    '--until <time>': 'calls before a time',
  },
  help: 'list what staff did, newest first; with --json for an archive',
  errors: {
    403: 'Only operators of every site may read it. A time looks like 2026-11-01T00:00:00Z.',
    404: 'There is no staff account with the name of --by: see covalence staff list.',
  },
  async run(call) {
    const api = await openClient(call, 'auth');
    const filter = {
      username: stringOption(call, 'by'),
      about: stringOption(call, 'about'),
      call: stringOption(call, 'call'),
      since: stringOption(call, 'since'),
      until: stringOption(call, 'until'),
    };
    const entries: Schemas['AuditEntry'][] = [];
    let cursor: string | undefined;
    do {
      const query = { ...filter, pagesize, cursor };
      const page: Schemas['AuditLog'] = await dataOf(api.GET('/staff/audit', { params: { query } }));
      entries.push(...page.entries);
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
    const lines = entries.map(({ at, staff_id, username, call: made, about, status }) =>
      [at, username ?? staff_id, made, ...about, ...(status === null ? [] : [status])].join('  '),
    );
    return { lines: entries.length ? lines : ['No calls.'], data: entries };
  },
};
