import type { Action } from '../operator-command.ts';
import { actingAs, oneSite, openClient, siteOf } from './call.ts';
import { dataOf } from './staff-client.ts';

/** `covalence staff transparency`: prints the file of the report. */
export const transparency: Action = {
  takes: ['<from>', '<to>'],
  options: { ...actingAs, ...oneSite },
  help: 'count the moderation of months (2026-07 2026-12) for a transparency report, as CSV',
  errors: {
    403: 'Months look like 2026-07, at most 36 from the first to the last, and the site is one of the role.',
    404: 'A month is not over, or was not counted.',
  },
  async run(call) {
    const api = await openClient(call);
    const [from = '', to = ''] = call.args;
    const query = { from, to, siteid: siteOf(call), format: 'csv' };
    const { csv = '', ...data } = await dataOf(api.GET('/staff/transparency', { params: { query } }));
    return { lines: csv.trimEnd().split('\n'), data };
  },
};
