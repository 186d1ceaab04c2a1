import type { Sites } from '@covalence/contract/sites';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Peer } from '@covalence/http/peer';
import type { AccountStore } from '../../accounts/account-store.ts';
import { currentLocale } from '../../accounts/current-locale.ts';
import { Html, markup } from '../../localization/html.ts';
import { errorPage, signedOutPage, signOutPage } from './sign-in-pages.ts';
import { pageSetting, strangersSetting } from '../../localization/presentation.ts';
import { pageHeaders } from './style.ts';
import type { Texts } from '../../localization/en-us.ts';

/** The pages that the provider itself shows. */
export interface ProviderPages {
  /** Where an error cannot go back to the client: unknown client, redirect_uri that is not registered. */
  readonly error: (context: KoaContextWithOIDC, out: { readonly error: string }) => void;
  readonly signOut: (context: KoaContextWithOIDC, form: string) => Promise<void>;
  readonly signedOut: (context: KoaContextWithOIDC) => void;
}

const messages: Record<string, keyof Texts> = {
  invalid_client: 'errorClient',
  invalid_redirect_uri: 'errorClient',
  server_error: 'errorAway',
};

/** A session that is gone is reported as an invalid request of the resume route. */
const messageOf = (context: KoaContextWithOIDC, error: string): keyof Texts =>
  messages[error] ?? (context.oidc.route === 'resume' ? 'errorExpired' : 'errorOther');

function show(context: KoaContextWithOIDC, page: string): void {
  context.set(pageHeaders());
  context.body = page;
}

/** What says how the pages of a sign-out look, from one to the next. */
const carried = ['siteid', 'locale'] as const;

/** That part of a request's query, as a query. */
export function carriedQuery(query: Readonly<Record<string, unknown>>): string {
  const texts = carried.map((name) => [name, query[name]] as const);
  const given = texts.filter(
    (pair): pair is [(typeof carried)[number], string] => typeof pair[1] === 'string',
  );
  return given.length ? `?${new URLSearchParams(given).toString()}` : '';
}

/** Creates the pages for the configured sites. */
export function createProviderPages(sites: Sites, accounts: AccountStore, profile: Peer): ProviderPages {
  const settingOf = (context: KoaContextWithOIDC, named: Readonly<Record<string, unknown>>) =>
    carried.some((name) => named[name] !== undefined)
      ? pageSetting(named, sites)
      : strangersSetting(context, sites);

  /** Site and language that the request names, else those of the session's account; without any the page is nobody's, and still there. */
  const lookOf = async ({ query, oidc }: KoaContextWithOIDC): Promise<Record<string, unknown>> => {
    const accountId = oidc.session?.accountId;
    const account = accountId && (await accounts.find(accountId).catch(() => undefined));
    if (!account || account.staff) return query;
    const { siteid } = account;
    const locale = query['locale'] === undefined ? await currentLocale(account, profile) : undefined;
    const own = sites.has(Number(query['siteid'])) ? undefined : { siteid: String(siteid) };
    return { ...(locale && { locale }), ...query, ...own };
  };

  return {
    error(context, out) {
      const setting = settingOf(context, { ...context.query, ...context.oidc.params });
      show(context, errorPage(setting, messageOf(context, out.error), { code: out.error }));
    },
    signOut: async (context, form) => {
      const query = await lookOf(context);
      // The form names this server by its full address; a path reaches it under every name it is known by.
      const action = markup`action="${`/session/end/confirm${carriedQuery(query)}`}"`;
      const local = form.replace(/action="[^"]*"/, () => action.text);
      show(context, signOutPage(settingOf(context, query), new Html(local)));
    },
    signedOut: (context) => show(context, signedOutPage(settingOf(context, context.query))),
  };
}
