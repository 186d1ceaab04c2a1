import type { Account } from '../accounts/account.ts';
import { resetAddress } from '../accounts/addresses.ts';
import { memberPresentation } from '../accounts/member-presentation.ts';
import { remember, type Presentation, type TextName } from '../localization/presentation.ts';
import { messagePage, questionPage, type Question } from './pages/account-pages.ts';
import { redirect, sendInvalidLink, sendPage } from './pages/respond.ts';
import type { HostedPage, PageHandler, PageVisit, SignInContext } from './sign-in-context.ts';

/** A mailed link that was opened. */
export interface OpenedLink {
  readonly account: Account;
  readonly presentation: Presentation;
  /** Headers of the page, when they are not those of every page. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A link that belongs to another browser. */
interface Elsewhere {
  readonly elsewhere: Presentation;
}

/** The result of finding a link that belongs to another browser. */
export const ofAnotherBrowser = ({ presentation }: OpenedLink): Elsewhere => ({ elsewhere: presentation });

interface LinkVisit extends PageVisit {
  readonly token: string;
}

interface LinkContent {
  readonly member_id: string;
  readonly locale?: string | undefined;
}

/** A kind of mailed link. */
interface LinkKind<Content extends LinkContent> {
  readonly route: string;
  readonly find: (
    token: string,
    context: SignInContext,
  ) => Content | undefined | Promise<Content | undefined>;
}

/** The account of a link, and pages in the language of its mail, else of the member; undefined when there is none. */
async function openLink<Content extends LinkContent>(
  kind: LinkKind<Content>,
  { token, request, context }: LinkVisit,
): Promise<(Content & OpenedLink) | undefined> {
  const content = await kind.find(token, context);
  const account = content && (await context.accounts.find(content.member_id));
  if (!account) return undefined;
  const presentation = remember(request, await memberPresentation(account, context, content.locale));
  return { ...content, account, presentation };
}

/** Whether a link still belongs to the recipient of password mails. */
export const isToRecipient = ({ account, to }: OpenedLink & { readonly to: string }, now: Date): boolean =>
  account.status === 'active' && resetAddress(account, now) === to;

/** The result of a confirmed link: a message, a redirect, a response of its own, or nothing because the link has become worthless. */
type Outcome =
  | readonly [title: TextName, why: TextName]
  | { readonly location: string }
  | 'sent'
  | 'worthless';

interface LinkPage<Content extends LinkContent, Link extends OpenedLink> {
  readonly kind: LinkKind<Content>;
  /** The link as the page needs it, unless it belongs to another browser; undefined when it is used or worthless. */
  readonly read: (
    link: Content & OpenedLink,
    visit: LinkVisit,
  ) => Link | Elsewhere | undefined | Promise<Link | Elsewhere | undefined>;
  readonly question: (link: Link, context: SignInContext) => Question | Promise<Question>;
  readonly confirm: (link: Link, visit: LinkVisit) => Promise<Outcome>;
  /** Says why a link does not work. */
  readonly invalid?: TextName;
}

/**
 * The page of a mailed link. GET asks for confirmation, because mail scanners open links, but press no buttons; the link stays usable.
 * POST does what it is for.
 */
export function linkPage<Content extends LinkContent, Link extends OpenedLink>({
  kind,
  read,
  question,
  confirm,
  invalid,
}: LinkPage<Content, Link>): HostedPage {
  const handler =
    (handle: (link: Link, visit: LinkVisit) => Promise<Outcome>): PageHandler =>
    async (page) => {
      const { request, response } = page;
      const visit = { ...page, token: String(request.params['token']) };
      const opened = await openLink(kind, visit);
      const link = opened && (await read(opened, visit));
      if (link && 'elsewhere' in link)
        return sendPage(response, messagePage(link.elsewhere, 'deviceElsewhere', 'deviceElsewhereWhy'), 403);
      const outcome = link ? await handle(link, visit) : 'worthless';
      if (outcome === 'sent') return;
      if (!link || outcome === 'worthless') return sendInvalidLink(visit, invalid);
      if ('location' in outcome) return redirect(response, outcome.location);
      sendPage(response, messagePage(link.presentation, ...outcome));
    };
  return {
    path: kind.route,
    GET: handler(async (link, { request, response, context }) => {
      const page = questionPage(link.presentation, await question(link, context), request.originalUrl);
      sendPage(response, page, 200, link.headers);
      return 'sent';
    }),
    POST: handler(confirm),
  };
}
