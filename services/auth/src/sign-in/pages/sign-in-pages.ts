import { described, hidden, page, problemBox } from './layout.ts';
import { markup, type Html } from '../../localization/html.ts';
import type { Presentation, TextName } from '../../localization/presentation.ts';

/** The login form. */
export interface LoginForm {
  readonly action: string;
  readonly csrf: string;
  /** Encrypted proof of correct credentials: the form asks for them again. */
  readonly proof?: string | undefined;
  readonly login?: string | undefined;
  readonly problem?: string | undefined;
  /** Path of the page for a forgotten password. */
  readonly forgotten?: string | undefined;
  /** Path of the form that asks for a device link, after too many failures. */
  readonly deviceLink?: string | undefined;
}

/** Offers a device link. */
const deviceOffer = ({ text }: Presentation, { deviceLink, csrf, login }: LoginForm) =>
  deviceLink !== undefined &&
  markup`<form method="post" action="${deviceLink}">
${hidden('csrf', csrf)}${hidden('login', login)}
<p class="note">${text('deviceLinkWhy')}</p>
<button class="plain" type="submit">${text('sendDeviceLink')}</button>
</form>`;

/** The login form; with a proof it asks for the credentials again, to reactivate. */
export function loginPage(presentation: Presentation, form: LoginForm): string {
  const { text } = presentation;
  const again = form.proof !== undefined;
  const wrong = described(form.problem);
  const content = markup`${again && markup`<p class="note">${text('reactivateWhy')}</p>`}
${problemBox(form.problem)}
<form method="post" action="${form.action}">
${hidden('csrf', form.csrf)}${hidden('proof', form.proof)}
<label for="login">${text('login')}</label>
<input type="text" id="login" name="login" value="${form.login}" autocomplete="username" autocapitalize="none" spellcheck="false" required${wrong}>
<label for="password">${text('password')}</label>
<input type="password" id="password" name="password" autocomplete="current-password" required${wrong}>
<button type="submit">${text(again ? 'reactivate' : 'signIn')}</button>
</form>
${deviceOffer(presentation, form)}
${form.forgotten !== undefined && markup`<p class="aside"><a href="${form.forgotten}">${text('forgotten')}</a></p>`}`;
  return page(presentation, text(again ? 'reactivate' : 'signIn'), content);
}

/** The choice between sites with the same credentials. */
export interface SiteChoice {
  readonly action: string;
  readonly csrf: string;
  readonly proof: string;
  readonly sites: readonly { readonly siteid: number; readonly title: string }[];
}

/** Asks for the site, with one button for each. */
export function choicePage(presentation: Presentation, choice: SiteChoice): string {
  const { text } = presentation;
  const buttons = choice.sites.map(
    ({ siteid, title }) =>
      markup`<button class="plain" type="submit" name="site" value="${siteid}">${title}</button>`,
  );
  const content = markup`<p class="note">${text('chooseSiteWhy')}</p>
<form method="post" action="${choice.action}">
${hidden('csrf', choice.csrf)}${hidden('proof', choice.proof)}
${buttons}
</form>`;
  return page(presentation, text('chooseSite'), content);
}

/** The member and app of "Continue as …". */
interface Continuing {
  readonly action: string;
  readonly csrf: string;
  /** The member's username. */
  readonly name: string;
  readonly app: string;
}

/** Asks whether to continue with the browser's session. */
export function continuePage(presentation: Presentation, { action, csrf, name, app }: Continuing): string {
  const { text } = presentation;
  const content = markup`<p>${text('continueAsWhy', { name, app })}</p>
<form method="post" action="${action}">
${hidden('csrf', csrf)}
<button type="submit" name="continue" value="yes">${text('proceed')}</button>
</form>
<p class="aside"><a href="${action}?account=other">${text('useAnother')}</a></p>`;
  return page(presentation, text('continueAs', { name }), content);
}

/** Optional parts of an error page. */
export interface ErrorDetails {
  /** OAuth error code. */
  readonly code?: string | undefined;
  /** Path of the login form. */
  readonly back?: string | undefined;
}

/** An error page. */
export function errorPage(
  presentation: Presentation,
  message: TextName,
  { code, back }: ErrorDetails = {},
): string {
  const { text } = presentation;
  const content = markup`<p class="problem" role="alert">${text(message)}</p>
${code !== undefined && markup`<p class="note">${text('errorCode', { code })}</p>`}
${back !== undefined && markup`<p class="aside"><a href="${back}">${text('backToSignIn')}</a></p>`}`;
  return page(presentation, text('errorTitle'), content);
}

/** Asks whether to sign out; `form` is the provider's, with its hidden fields. */
export function signOutPage(presentation: Presentation, form: Html): string {
  const { text } = presentation;
  const content = markup`<p>${text('signOutWhy')}</p>
${form}
<button type="submit" form="op.logoutForm" name="logout" value="yes">${text('signOut')}</button>
<button class="plain" type="submit" form="op.logoutForm" name="logout" value="everywhere">${text('signOutEverywhere')}</button>
<p class="note">${text('signOutEverywhereWhy')}</p>`;
  return page(presentation, text('signOut'), content);
}

/** The page after a sign-out. */
export function signedOutPage(presentation: Presentation): string {
  return page(
    presentation,
    presentation.text('signedOut'),
    markup`<p>${presentation.text('signedOutWhy')}</p>`,
  );
}
