import type { Sites } from '@covalence/contract/sites';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Peer } from '@covalence/http/peer';
import type { Account } from '../../accounts/account.ts';
import type { AccountStore } from '../../accounts/account-store.ts';
import { currentLocale } from '../../accounts/member-presentation.ts';
import { accountPaths } from '../../tokens/provider/hosted-pages-client.ts';
import type { ProviderPages } from '../../tokens/provider/dependencies.ts';
import { withState } from '../../tokens/provider/responses.ts';
import { pageQuery } from '../../tokens/sessions/page-query.ts';
import { Html, markup } from '../../localization/html.ts';
import { errorPage, signedOutPage, signOutPage } from './sign-in-pages.ts';
import { presentationOf, anonymousPresentation, type TextName } from '../../localization/presentation.ts';
import { pageHeaders } from './style.ts';

const messages: Record<string, TextName> = {
  invalid_client: 'errorClient',
  invalid_redirect_uri: 'errorClient',
  server_error: 'errorAway',
};

/** The provider reports an expired interaction as an invalid request of the resume route. */
const messageOf = (context: KoaContextWithOIDC, error: string): TextName =>
  messages[error] ?? (context.oidc.route === 'resume' ? 'errorExpired' : 'errorOther');

function show(context: KoaContextWithOIDC, page: string, targets: readonly string[] = []): void {
  context.set(pageHeaders(targets));
  context.body = page;
}

/** Creates the pages for the configured sites. */
export function createProviderPages(
  sites: Sites,
  accounts: AccountStore,
  profile: Peer<'profile'>,
): ProviderPages {
  const presentationFor = (context: KoaContextWithOIDC, named: Readonly<Record<string, unknown>>) =>
    pageQuery(named) ? presentationOf(named, sites) : anonymousPresentation(context, sites);

  const accountOf = async ({ oidc }: KoaContextWithOIDC): Promise<Account | undefined> => {
    const accountId = oidc.session?.accountId;
    return accountId === undefined ? undefined : accounts.find(accountId).catch(() => undefined);
  };

  /** Site and locale of the request, else those of the session's account. */
  const parametersOf = async (
    { query }: KoaContextWithOIDC,
    account: Account | undefined,
  ): Promise<Record<string, unknown>> => {
    if (!account || account.staff) return query;
    const { siteid } = account;
    const locale = query['locale'] === undefined ? await currentLocale(account, profile) : undefined;
    const own = sites.has(Number(query['siteid'])) ? undefined : { siteid: String(siteid) };
    return { ...(locale && { locale }), ...query, ...own };
  };

  return {
    error(context, out) {
      const presentation = presentationFor(context, { ...context.query, ...context.oidc.params });
      show(
        context,
        errorPage(presentation, messageOf(context, out.error), {
          code: out.error,
          description: out.error_description,
        }),
      );
    },
    signOut: async (context, form) => {
      const account = await accountOf(context);
      const query = await parametersOf(context, account);
      // A path works under every host name of this server; the provider's form has its full address.
      const action = markup`action="${`/session/end/confirm${pageQuery(query)}`}"`;
      const local = form.replace(/action="[^"]*"/, () => action.text);
      // Browsers apply the policy of the form to the address that the sign-out leads to.
      const { post_logout_redirect_uri: after, state } = context.oidc.params ?? {};
      const targets = typeof after === 'string' ? [after] : [];
      const own = account?.staff ? undefined : accountPaths.start + pageQuery(query);
      const stay = typeof after === 'string' ? withState(after, state) : own;
      show(context, signOutPage(presentationFor(context, query), new Html(local), stay), targets);
    },
    signedOut: (context) => show(context, signedOutPage(presentationFor(context, context.query))),
  };
}
