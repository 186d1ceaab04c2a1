import { failCodes } from '@covalence/contract/failure-codes';
import { z } from 'zod';
import { isSameEmail, pendingOf, protectedOf } from '../../accounts/addresses.ts';
import { changeEmailPath } from '../../tokens/provider/hosted-pages-client.ts';
import {
  formIn,
  leadToSignIn,
  memberPageOf,
  recentVisit,
  redirectDone,
  type Visit,
} from '../browser-account.ts';
import { dayIn } from '../pages/account-page.ts';
import { emailPage } from '../pages/member-data-pages.ts';
import { memberMessage } from '../pages/member-page.ts';
import { sendPage } from '../pages/respond.ts';
import type { PageHandler } from '../sign-in-context.ts';
import { callAsMember } from './as-member.ts';

const formSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('change'), csrf: z.string(), email: z.string().max(1_000) }),
  z.object({ action: z.literal('keep'), csrf: z.string() }),
]);

function show(visit: Visit, status = 200, problem?: string, entered?: string): void {
  const { response, account, presentation, context } = visit;
  const page = emailPage(presentation, {
    ...memberPageOf(visit, changeEmailPath),
    email: account.email,
    pending: pendingOf(account, context.now())?.email,
    guards: protectedOf(account, context.now())
      .filter((one) => !isSameEmail(one.email, account.email))
      .map((one) => ({ email: one.email, date: dayIn(presentation, one.until) })),
    problem,
    entered,
  });
  sendPage(response, page, status);
}

/** GET /account/email: asks for a new address. */
export const showEmail: PageHandler = async (request, response, context) => {
  const visit = await recentVisit(request, response, changeEmailPath, context);
  if (visit) show(visit);
};

/** POST /account/email: asks for the change as an app does, by POST /members/self: the mailed link applies it. */
export const takeEmail: PageHandler = async (request, response, context) => {
  const visit = await recentVisit(request, response, changeEmailPath, context);
  if (!visit) return;
  const { presentation, account } = visit;
  const form = formIn(formSchema, visit);
  if (!form) return show(visit, 403, presentation.text('staleForm'));
  const email = form.action === 'keep' ? account.email : form.email.trim();
  if (!email) return show(visit, 200, presentation.text('emailInvalid'), '');
  const answer = await callAsMember(visit, { method: 'POST', path: '/members/self', body: { email } });
  if (answer.kind === 'late') return leadToSignIn(request, response, changeEmailPath, context, true);
  if (answer.kind === 'limited') {
    response.set('Retry-After', String(answer.seconds));
    const problem = presentation.text('limited', { minutes: Math.ceil(answer.seconds / 60) });
    return show(visit, 429, problem, email);
  }
  if (answer.kind === 'refused') {
    const isTaken = answer.failcode.includes(failCodes.updatedEmailTaken);
    return show(visit, 200, presentation.text(isTaken ? 'emailTaken' : 'emailInvalid'), email);
  }
  if (form.action === 'keep') return redirectDone(visit, changeEmailPath, 'emailKept');
  const { back } = memberPageOf(visit, changeEmailPath);
  const sent = [presentation.text('changeEmailSent', { email })];
  sendPage(response, memberMessage(presentation, 'checkMail', sent, back));
};
