import type { z } from 'zod';
import { leadToSignIn, memberPageOf, recentVisit, redirectDone, type Visit } from './browser-account.ts';
import { formIn } from './form-in.ts';
import type { DoneText, MemberPage } from './pages/member-page.ts';
import { explain, redirect, sendPage, type Problem } from './pages/respond.ts';
import type { HostedPage } from './sign-in-context.ts';

/** The result of a form: its page with a problem or a success, another page, a new sign-in, or a response of its own. */
type Answer<Shown> =
  | (Problem & Shown)
  | { readonly done: DoneText }
  | { readonly page: string }
  | { readonly location: string }
  | 'late'
  | 'sent';

interface PageOfAccount<Form, Shown> {
  readonly path: string;
  readonly form: z.ZodType<Form>;
  /** Checks access; by default, it needs a recent sign-in of a member. Undefined if a response was sent. */
  readonly open?: typeof recentVisit;
  /** Renders it; `shown` is what the form before has left. */
  readonly page: (visit: Visit, shown: MemberPage & Shown) => string | Promise<string>;
  readonly take: (visit: Visit, form: Form) => Promise<Answer<NoInfer<Shown>>>;
}

/** A page of the account of a signed-in member: GET shows it, POST takes its form. */
export function memberPage<Form, Shown = object>({
  path,
  form: schema,
  open = recentVisit,
  page,
  take,
}: PageOfAccount<Form, Shown>): HostedPage {
  const show = async (visit: Visit, again: Problem & Shown): Promise<void> => {
    const { response, presentation } = visit;
    const { problem, status } = explain(response, presentation, again);
    sendPage(response, await page(visit, { ...again, ...memberPageOf(visit, path), problem }), status);
  };
  return {
    path,
    async GET(opened) {
      const visit = await open(opened, path);
      if (visit) await show(visit, {} as Problem & Shown);
    },
    async POST(opened) {
      const visit = await open(opened, path);
      if (!visit) return;
      const { request, response, context } = visit;
      const form = formIn(schema, request, (csrf) =>
        context.keys.seal.checkMac('account-csrf', visit.session.uid, csrf),
      );
      const stale: Problem = { status: 403, problem: 'staleForm' };
      const answer = form ? await take(visit, form) : (stale as Problem & Shown);
      if (answer === 'sent') return;
      if (answer === 'late') return leadToSignIn(visit, { path, recent: true });
      if ('done' in answer) return redirectDone(visit, path, answer.done);
      if ('page' in answer) return sendPage(response, answer.page);
      if ('location' in answer) return redirect(response, answer.location);
      await show(visit, answer);
    },
  };
}
