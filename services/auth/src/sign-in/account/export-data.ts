import { z } from 'zod';
import { accountPaths } from '../../tokens/provider/hosted-pages-client.ts';
import { memberPage } from '../member-page.ts';
import { exportPage } from '../pages/member-data-pages.ts';
import { callAsMember } from './as-member.ts';

/** /account/export: sends what GET /members/self/export answers, as a file. */
export const exportDataPage = memberPage({
  path: accountPaths.export,
  form: z.object({}),
  page: ({ presentation }, shown) => exportPage(presentation, shown),
  async take(visit) {
    const { account, response } = visit;
    const answer = await callAsMember(visit, { method: 'GET', path: '/members/self/export' });
    if (answer.kind === 'late') return 'late';
    if (answer.kind === 'limited') return { seconds: answer.seconds };
    if (answer.kind === 'refused') return { problem: 'errorOther', status: 403 };
    response
      .status(200)
      .set({
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Disposition': `attachment; filename="account-${account.id}.json"`,
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
      })
      .send(answer.text);
    return 'sent';
  },
});
