import { z } from 'zod';
import { exportPath } from '../../tokens/provider/hosted-pages-client.ts';
import { formIn, leadToSignIn, memberPageOf, recentVisit, type Visit } from '../browser-account.ts';
import { exportPage } from '../pages/member-data-pages.ts';
import { sendPage } from '../pages/respond.ts';
import type { PageHandler } from '../sign-in-context.ts';
import { callAsMember } from './as-member.ts';

const formSchema = z.object({ csrf: z.string() });

function show(visit: Visit, status = 200, problem?: string): void {
  const page = exportPage(visit.presentation, { ...memberPageOf(visit, exportPath), problem });
  sendPage(visit.response, page, status);
}

/** GET /account/export: offers the data of the member. */
export const showExport: PageHandler = async (request, response, context) => {
  const visit = await recentVisit(request, response, exportPath, context);
  if (visit) show(visit);
};

/** POST /account/export: sends what GET /members/self/export answers, as a file. */
export const takeExport: PageHandler = async (request, response, context) => {
  const visit = await recentVisit(request, response, exportPath, context);
  if (!visit) return;
  const { presentation, account } = visit;
  if (!formIn(formSchema, visit)) return show(visit, 403, presentation.text('staleForm'));
  const answer = await callAsMember(visit, { method: 'GET', path: '/members/self/export' });
  if (answer.kind === 'late') return leadToSignIn(request, response, exportPath, context, true);
  if (answer.kind === 'limited') {
    response.set('Retry-After', String(answer.seconds));
    return show(visit, 429, presentation.text('limited', { minutes: Math.ceil(answer.seconds / 60) }));
  }
  if (answer.kind === 'refused') return show(visit, 403, presentation.text('errorOther'));
  response
    .status(200)
    .set({
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': `attachment; filename="account-${account.id}.json"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    })
    .send(answer.text);
};
