import { deletionDays } from '@covalence/contract/peers/privacy-api';
import { z } from 'zod';
import { accountPaths } from '../../tokens/provider/hosted-pages-client.ts';
import { memberPage } from '../member-page.ts';
import { dayIn } from '../../localization/dates.ts';
import { messagePage } from '../pages/account-pages.ts';
import type { MemberPage } from '../pages/member-page.ts';
import { deletePage } from '../pages/member-data-pages.ts';
import { callAsMember } from './as-member.ts';

const deletion = z.object({ erased_after: z.coerce.date() });

/** /account/delete: says what a deletion does, and deletes the account as DELETE /members/self does, with its mail. */
export const deletionPage = memberPage({
  path: accountPaths.deletion,
  form: z.object({ confirm: z.literal('yes').optional() }),
  page: ({ presentation }, shown: MemberPage & { readonly isUnconfirmed?: boolean }) =>
    deletePage(presentation, { ...shown, days: deletionDays }),
  async take(visit, { confirm }) {
    if (!confirm) return { problem: 'deleteUnconfirmed', isUnconfirmed: true };
    const answer = await callAsMember(visit, { method: 'DELETE', path: '/members/self' });
    if (answer.kind === 'late') return 'late';
    if (answer.kind !== 'done') return { problem: 'errorOther', status: 403 };
    const { presentation } = visit;
    const date = dayIn(presentation, deletion.parse(JSON.parse(answer.text)).erased_after);
    return { page: messagePage(presentation, 'accountDeleted', 'accountDeletedWhy', { date }) };
  },
});
