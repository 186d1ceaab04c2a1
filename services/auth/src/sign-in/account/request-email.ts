import { failCodes } from '@covalence/contract/failure-codes';
import { z } from 'zod';
import { isSameEmail, pendingOf, protectedOf } from '../../accounts/addresses.ts';
import { accountPaths } from '../../tokens/provider/hosted-pages-client.ts';
import { memberPageOf } from '../browser-account.ts';
import { memberPage } from '../member-page.ts';
import { dayIn } from '../../localization/dates.ts';
import { emailPage } from '../pages/member-data-pages.ts';
import { memberMessage, type MemberPage } from '../pages/member-page.ts';
import { callAsMember } from './as-member.ts';

/** /account/email: asks for a change as an app does, by POST /members/self: the mailed link applies it. */
export const requestEmailPage = memberPage({
  path: accountPaths.email,
  form: z.discriminatedUnion('action', [
    z.object({ action: z.literal('change'), email: z.string().max(1_000) }),
    z.object({ action: z.literal('keep') }),
  ]),
  page: ({ account, presentation, context }, shown: MemberPage & { readonly entered?: string }) =>
    emailPage(presentation, {
      ...shown,
      email: account.email,
      pending: pendingOf(account, context.clock())?.email,
      guards: protectedOf(account, context.clock())
        .filter((one) => !isSameEmail(one.email, account.email))
        .map((one) => ({ email: one.email, date: dayIn(presentation, one.until) })),
    }),
  async take(visit, form) {
    const { presentation, account } = visit;
    const entered = form.action === 'keep' ? account.email : form.email.trim();
    if (!entered) return { problem: 'emailInvalid', entered };
    const answer = await callAsMember(visit, {
      method: 'POST',
      path: '/members/self',
      body: { email: entered },
    });
    if (answer.kind === 'late') return 'late';
    if (answer.kind === 'limited') return { seconds: answer.seconds, entered };
    if (answer.kind === 'refused') {
      const isTaken = answer.failcode.includes(failCodes.updatedEmailTaken);
      return { problem: isTaken ? 'emailTaken' : 'emailInvalid', entered };
    }
    if (form.action === 'keep') return { done: 'emailKept' };
    const { back } = memberPageOf(visit, accountPaths.email);
    const sent = [presentation.text('changeEmailSent', { email: entered })];
    return { page: memberMessage(presentation, 'checkMail', sent, back) };
  },
});
