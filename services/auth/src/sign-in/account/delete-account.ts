import { deletionDays } from '@covalence/contract/internal/privacy-api';
import { z } from 'zod';
import { deletePath } from '../../tokens/provider/hosted-pages-client.ts';
import { formIn, leadToSignIn, memberPageOf, recentVisit, type Visit } from '../browser-account.ts';
import { dayIn } from '../pages/account-page.ts';
import { messagePage } from '../pages/account-pages.ts';
import { deletePage } from '../pages/member-data-pages.ts';
import { sendPage } from '../pages/respond.ts';
import type { PageHandler } from '../sign-in-context.ts';
import { callAsMember } from './as-member.ts';

const formSchema = z.object({ csrf: z.string(), confirm: z.literal('yes').optional() });

const deletion = z.object({ erased_after: z.coerce.date() });

function show(visit: Visit, status = 200, problem?: string, isUnconfirmed = false): void {
  const { response, presentation } = visit;
  const form = { ...memberPageOf(visit, deletePath), problem, isUnconfirmed };
  sendPage(response, deletePage(presentation, { ...form, days: deletionDays }), status);
}

/** GET /account/delete: says what a deletion does. */
export const showDeletion: PageHandler = async (request, response, context) => {
  const visit = await recentVisit(request, response, deletePath, context);
  if (visit) show(visit);
};

/** POST /account/delete: deletes the account as DELETE /members/self does, with its mail. */
export const takeDeletion: PageHandler = async (request, response, context) => {
  const visit = await recentVisit(request, response, deletePath, context);
  if (!visit) return;
  const { presentation } = visit;
  const form = formIn(formSchema, visit);
  if (!form) return show(visit, 403, presentation.text('staleForm'));
  if (!form.confirm) return show(visit, 200, presentation.text('deleteUnconfirmed'), true);
  const answer = await callAsMember(visit, { method: 'DELETE', path: '/members/self' });
  if (answer.kind === 'late') return leadToSignIn(request, response, deletePath, context, true);
  if (answer.kind !== 'done') return show(visit, 403, presentation.text('errorOther'));
  const date = dayIn(presentation, deletion.parse(JSON.parse(answer.text)).erased_after);
  sendPage(response, messagePage(presentation, 'accountDeleted', 'accountDeletedWhy', { date }));
};
