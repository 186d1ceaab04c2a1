import type { Sites } from '@covalence/contract/sites';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { Html } from './html.ts';
import { errorPage, signedOutPage, signOutPage } from './pages.ts';
import { pageSetting } from './setting.ts';
import { pageHeaders } from './style.ts';
import type { Texts } from './texts/en-us.ts';

/** The pages that the provider itself shows. */
export interface ProviderPages {
  /** Where an error cannot go back to the client: unknown client, redirect_uri that is not registered. */
  readonly error: (context: KoaContextWithOIDC, out: { readonly error: string }) => void;
  readonly signOut: (context: KoaContextWithOIDC, form: string) => void;
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

/** Creates the pages for the configured sites. */
export function createProviderPages(sites: Sites): ProviderPages {
  const settingOf = (context: KoaContextWithOIDC) =>
    pageSetting({ ...context.query, ...context.oidc.params }, sites);
  return {
    error: (context, out) =>
      show(context, errorPage(settingOf(context), messageOf(context, out.error), out.error)),
    signOut: (context, form) => {
      // The form names this server by its full address; a path reaches it under every name it is known by.
      const local = form.replace(/action="https?:\/\/[^/"]+/, 'action="');
      show(context, signOutPage(settingOf(context), new Html(local)));
    },
    signedOut: (context) => show(context, signedOutPage(settingOf(context))),
  };
}
