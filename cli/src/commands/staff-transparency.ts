import { z } from 'zod';
import type { Action } from '../operator-command.ts';
import { as, open, text } from './staff-decisions.ts';

const reportSchema = z.looseObject({ csv: z.string() });

/** `covalence staff transparency`: prints the file of the report. */
export const transparency: Action = {
  takes: ['<from>', '<to>'],
  options: { ...as, '--site <siteid>': 'one site only' },
  help: 'count the moderation of months (2026-07 2026-12) for a transparency report, as CSV',
  missing: 'A month is not over, or was not counted.',
  refused:
    'Months look like 2026-07, at most 36 from the first to the last, and the site is one of the role.',
  async run(call) {
    const [from, to] = call.args;
    const query = { from, to, siteid: text(call, 'site'), format: 'csv' };
    const { csv, ...data } = await (await open(call)).get('/staff/transparency', query, reportSchema);
    return { lines: csv.trimEnd().split('\n'), data };
  },
};
