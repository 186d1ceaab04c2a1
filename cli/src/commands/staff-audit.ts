import { z } from 'zod';
import type { Action } from '../operator-command.ts';
import { openStaffApi } from '../staff-api.ts';

const entrySchema = z.object({
  id: z.string(),
  at: z.string(),
  staff_id: z.string(),
  username: z.string().nullable(),
  call: z.string(),
  about: z.array(z.string()),
  status: z.int().nullable(),
  request_id: z.string().nullable(),
});

const pageSchema = z.object({ entries: z.array(entrySchema), next: z.string().nullable() });

const pagesize = '100';

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
  missing: 'There is no staff account with the name of --by: see covalence staff list.',
  refused: 'Only operators of every site may read it. A time looks like 2026-11-01T00:00:00Z.',
  async run({ reach, options }) {
    const text = (name: string) => (typeof options[name] === 'string' ? options[name] : undefined);
    const filter = { username: text('by'), about: text('about'), call: text('call') };
    const query = { ...filter, since: text('since'), until: text('until'), pagesize };
    const api = await openStaffApi(reach, text('as'), 'auth');
    const entries: z.output<typeof entrySchema>[] = [];
    let cursor: string | undefined;
    do {
      const page = await api.get('/staff/audit', { ...query, cursor }, pageSchema);
      entries.push(...page.entries);
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
    const lines = entries.map(({ at, staff_id, username, call, about, status }) =>
      [at, username ?? staff_id, call, ...about, ...(status === null ? [] : [status])].join('  '),
    );
    return { lines: entries.length ? lines : ['No calls.'], data: entries };
  },
};
