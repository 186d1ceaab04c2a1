import { described, hidden, page, problemBox } from './layout.ts';
import { markup, type Html } from '../../localization/html.ts';
import type { PageSetting } from '../../localization/presentation.ts';
import type { Texts } from '../../localization/en-us.ts';

/** What the login form shows. */
export interface LoginForm {
  readonly action: string;
  readonly csrf: string;
  /** Sealed memory of a first entry that was right: the form then asks for the second one. */
  readonly proof?: string | undefined;
  readonly login?: string | undefined;
  readonly problem?: string | undefined;
  /** Where a forgotten password is helped with, if it is. */
  readonly forgotten?: string | undefined;
  /** Where a link for this browser is asked for, after too many failures. */
  readonly deviceLink?: string | undefined;
}

/** Offers a link by which the failures of others do not limit this browser. */
const deviceOffer = ({ text }: PageSetting, { deviceLink, csrf, login }: LoginForm) =>
  deviceLink !== undefined &&
  markup`<form method="post" action="${deviceLink}">
${hidden('csrf', csrf)}${hidden('login', login)}
<p class="note">${text('deviceLinkWhy')}</p>
<button class="plain" type="submit">${text('sendDeviceLink')}</button>
</form>`;

/** The login form; with a proof the same form asks for the credentials again, to reactivate. */
export function loginPage(setting: PageSetting, form: LoginForm): string {
  const { text } = setting;
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
${deviceOffer(setting, form)}
${form.forgotten !== undefined && markup`<p class="aside"><a href="${form.forgotten}">${text('forgotten')}</a></p>`}`;
  return page(setting, text(again ? 'reactivate' : 'signIn'), content);
}

/** The choice between sites where login and password are right. */
export interface SiteChoice {
  readonly action: string;
  readonly csrf: string;
  readonly proof: string;
  readonly sites: readonly { readonly siteid: number; readonly title: string }[];
}

/** Asks where to sign in, one button per site. */
export function choicePage(setting: PageSetting, choice: SiteChoice): string {
  const { text } = setting;
  const buttons = choice.sites.map(
    ({ siteid, title }) =>
      markup`<button class="plain" type="submit" name="site" value="${siteid}">${title}</button>`,
  );
  const content = markup`<p class="note">${text('chooseSiteWhy')}</p>
<form method="post" action="${choice.action}">
${hidden('csrf', choice.csrf)}${hidden('proof', choice.proof)}
${buttons}
</form>`;
  return page(setting, text('chooseSite'), content);
}

/** Who may go on, and with which app. */
interface Continuing {
  readonly action: string;
  readonly csrf: string;
  /** The member's username. */
  readonly name: string;
  readonly app: string;
}

/** Asks whether to go on with the session that the browser has. */
export function continuePage(setting: PageSetting, { action, csrf, name, app }: Continuing): string {
  const { text } = setting;
  const content = markup`<p>${text('continueAsWhy', { name, app })}</p>
<form method="post" action="${action}">
${hidden('csrf', csrf)}
<button type="submit" name="continue" value="yes">${text('proceed')}</button>
</form>
<p class="aside"><a href="${action}?account=other">${text('useAnother')}</a></p>`;
  return page(setting, text('continueAs', { name }), content);
}

/** What an error page has beside what happened. */
export interface ErrorDetails {
  /** What a developer needs. */
  readonly code?: string | undefined;
  /** Address of the sign-in that may go on. */
  readonly back?: string | undefined;
}

/** A page that says what went wrong. */
export function errorPage(
  setting: PageSetting,
  message: keyof Texts,
  { code, back }: ErrorDetails = {},
): string {
  const { text } = setting;
  const content = markup`<p class="problem" role="alert">${text(message)}</p>
${code !== undefined && markup`<p class="note">${text('errorCode', { code })}</p>`}
${back !== undefined && markup`<p class="aside"><a href="${back}">${text('backToSignIn')}</a></p>`}`;
  return page(setting, text('errorTitle'), content);
}

/** Asks whether to sign out; `form` is the provider's own, with its hidden fields. */
export function signOutPage(setting: PageSetting, form: Html): string {
  const { text } = setting;
  const content = markup`<p>${text('signOutWhy')}</p>
${form}
<button type="submit" form="op.logoutForm" name="logout" value="yes">${text('signOut')}</button>
<button class="plain" type="submit" form="op.logoutForm" name="logout" value="everywhere">${text('signOutEverywhere')}</button>
<p class="note">${text('signOutEverywhereWhy')}</p>`;
  return page(setting, text('signOut'), content);
}

/** Says that the browser is signed out. */
export function signedOutPage(setting: PageSetting): string {
  return page(setting, setting.text('signedOut'), markup`<p>${setting.text('signedOutWhy')}</p>`);
}
