import { Failure } from '@covalence/contract/failure';
import { appealText } from '@covalence/contract/peers/appeals-api';
import { addressKey } from '@covalence/http/address-key';
import { z } from 'zod';
import { markup } from '../../localization/html.ts';
import { presentationOf, remember, type Presentation } from '../../localization/presentation.ts';
import { appealLink } from '../../mail/member-links.ts';
import { messagePage } from '../pages/account-pages.ts';
import { inError, page, problemBox } from '../pages/layout.ts';
import { explain, sendInvalidLink, sendPage, type Problem } from '../pages/respond.ts';
import type { HostedPage, PageVisit } from '../sign-in-context.ts';

const formSchema = z.object({ text: appealText });

/** The text of the form, shown again with its problem. */
interface Entered extends Problem {
  readonly text?: string;
}

function formPage(presentation: Presentation, action: string, entered: string, problem: string | undefined) {
  const { text } = presentation;
  const content = markup`<p>${text('appealWhy')}</p>
${problemBox(problem)}
<form method="post" action="${action}">
<label for="text">${text('appealText')}</label>
<textarea id="text" name="text" rows="8" maxlength="4000" required${inError(problem !== undefined)}>${entered}</textarea>
<button type="submit">${text('appealButton')}</button>
</form>`;
  return page(presentation, text('appeal'), content);
}

/** The link, and what became of the decision; undefined when the link is invalid or the decision is gone. */
async function find({ request, context }: PageVisit) {
  const link = appealLink.find(String(request.params['token']), context);
  if (!link) return undefined;
  const { member_id, decision_id, locale } = link;
  try {
    const read = await context.profile.readAppeal({ member_id, decision_id });
    // The account may be erased.
    const { siteid } = read;
    const presentation = remember(request, presentationOf({ siteid, locale }, context.sites));
    return { ...link, ...read, presentation };
  } catch (error) {
    if (error instanceof Failure && error.status === 404) return undefined;
    throw error;
  }
}

type Opened = NonNullable<Awaited<ReturnType<typeof find>>>;

/** The outcome of an appeal. An erased member reads it here only. */
function outcomePage({ presentation, state, answer, erased }: Omit<Opened, 'member_id' | 'decision_id'>) {
  const { text, title: site } = presentation;
  const isGranted = state === 'granted';
  const title = isGranted ? 'mailAppealGranted' : 'mailAppealRefused';
  const lines = [
    text(`${title}Why`, { site }),
    ...(answer === undefined ? [] : [text('decisionReason', { reason: answer })]),
    ...(isGranted ? [] : [text('decisionCourt')]),
    ...(isGranted && erased ? [text('appealRegister')] : []),
  ];
  return page(presentation, text(title), markup`${lines.map((line) => markup`<p>${line}</p>`)}`);
}

function show(
  { request, response }: PageVisit,
  link: Omit<Opened, 'member_id' | 'decision_id'>,
  { text = '', ...again }: Entered = {},
): void {
  const { presentation, state, erased } = link;
  if (state === 'waiting') {
    const why = erased ? 'appealSentErasedWhy' : 'appealSentWhy';
    return sendPage(response, messagePage(presentation, 'appealSent', why));
  }
  if (state === 'granted' || state === 'refused') return sendPage(response, outcomePage(link));
  if (state !== 'open') return sendPage(response, messagePage(presentation, 'appealEnded', 'appealEndedWhy'));
  const { problem, status } = explain(response, presentation, again);
  sendPage(response, formPage(presentation, request.originalUrl, text, problem), status);
}

async function take(visit: PageVisit, { member_id, decision_id, ...link }: Opened) {
  const { request, context } = visit;
  const { text } = (request.body ?? {}) as { readonly text?: unknown };
  const entered = typeof text === 'string' ? { text } : {};
  const seconds = await context.accounts.attempts.count('mailAddress', addressKey(request.ip ?? ''));
  if (seconds) return show(visit, link, { ...entered, seconds });
  const { data } = formSchema.safeParse(request.body ?? {});
  if (!data) return show(visit, link, { ...entered, problem: 'appealProblem', status: 400 });
  try {
    await context.profile.fileAppeal({ member_id, decision_id, text: data.text });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.status === 429)
      return show(visit, link, { ...entered, seconds: Number(error.headers['Retry-After']) });
    // Another request was first.
    if (error.status !== 409) throw error;
  }
  show(visit, { ...link, state: 'waiting' });
}

/** /appeal/:token: a member appeals a decision, also one who cannot sign in. */
export const appealPage: HostedPage = {
  path: appealLink.route,
  async GET(visit) {
    const link = await find(visit);
    if (!link) return sendInvalidLink(visit);
    show(visit, link);
  },
  async POST(visit) {
    const link = await find(visit);
    if (!link) return sendInvalidLink(visit);
    if (link.state !== 'open') return show(visit, link);
    await take(visit, link);
  },
};
