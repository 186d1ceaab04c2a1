import { hidden, homeLink, inError, page, problemBox, showPassword } from './layout.ts';
import { markup, type Html } from '../../localization/html.ts';
import type { PasskeyData } from '../webauthn/ceremony.ts';
import type { Presentation, TextName } from '../../localization/presentation.ts';

/** The login form. */
export interface LoginForm {
  readonly action: string;
  readonly csrf: string;
  /** Encrypted proof that the form brings back, and why the form is shown. */
  readonly proof?: string | undefined;
  readonly reason?: 'reactivate' | 'link' | undefined;
  readonly login?: string | undefined;
  readonly problem?: string | undefined;
  /** Whether the problem is the login or the password. */
  readonly isEntryWrong?: boolean | undefined;
  /** Path of the page for a forgotten password. */
  readonly forgotten?: string | undefined;
  /** Path of the page that registers a member. */
  readonly register?: string | undefined;
  /** Path of the form that asks for a device link, after too many failures. */
  readonly deviceLink?: string | undefined;
  /** Whether a passkey was just refused: the browser is not to offer it again by itself. */
  readonly isPasskeyRefused?: boolean | undefined;
  /** Id of a passkey that no account has, for the password manager to forget. */
  readonly unknownPasskey?: string | undefined;
  /** Data for signing in with a passkey. */
  readonly passkey?: PasskeyData | undefined;
  /** Providers that sign in too. */
  readonly providers?: readonly ProviderChoice[] | undefined;
}

/** "Continue with …". */
export interface ProviderChoice {
  readonly name: string;
  readonly path: string;
}

/** The proof that the next page has to bring back. */
const proofQuery = (proof: string | undefined) =>
  proof === undefined ? '' : `?${new URLSearchParams({ proof }).toString()}`;

/** Links to providers. A deactivated member gives the credentials twice, so the proof of the first time goes along. */
const providerLinks = ({ text }: Presentation, { providers = [], reason, proof }: LoginForm) =>
  reason !== 'link' &&
  providers.map(({ name, path }) => {
    return markup`<a class="button plain" href="${path}${proofQuery(reason && proof)}">${text('continueWith', { name })}</a>`;
  });
/** Signs in with a passkey; the script of the page shows and fills it where the browser can. */
export const passkeyForm = ({ text }: Presentation, form: LoginForm) => {
  const { passkey, action, csrf, proof, isPasskeyRefused, unknownPasskey } = form;
  return (
    passkey &&
    markup`<form method="post" action="${action}" data-passkey="get" data-options="${passkey.options}"${isPasskeyRefused && markup` data-refused`}${unknownPasskey !== undefined && markup` data-unknown="${unknownPasskey}"`} hidden>
${hidden('csrf', csrf)}${hidden('proof', proof)}${hidden('challenge', passkey.challenge)}${hidden('credential', '')}
<button class="plain" type="submit">${text('signInPasskey')}</button>
<p class="note small" role="alert" hidden>${text('passkeyFailed')}</p>
</form>`
  );
};

/** Offers a device link. */
const deviceOffer = ({ text }: Presentation, { deviceLink, csrf, login }: LoginForm) =>
  deviceLink !== undefined &&
  markup`<form method="post" action="${deviceLink}">
${hidden('csrf', csrf)}${hidden('login', login)}
<p class="note">${text('deviceLinkWhy')}</p>
<button class="plain" type="submit">${text('sendDeviceLink')}</button>
</form>`;

const headings = { reactivate: 'reactivate', link: 'linkAccount' } as const;
const notes = { reactivate: 'reactivateWhy', link: 'linkAccountWhy' } as const;

/** The login form; with a reason it asks for the credentials to reactivate the profile, or to link an account at a provider. */
export function loginPage(presentation: Presentation, form: LoginForm): string {
  const { text } = presentation;
  const { reason, passkey } = form;
  const heading = text(reason ? headings[reason] : 'signIn');
  const { problem, isEntryWrong: isWrong = false } = form;
  // The form no longer has the password; the login is usually correct.
  const isPasswordFirst = isWrong && Boolean(form.login);
  const content = markup`${reason && markup`<p class="note">${text(notes[reason])}</p>`}
${problemBox(problem, !isWrong)}
<form method="post" action="${form.action}">
${hidden('csrf', form.csrf)}${hidden('proof', form.proof)}${passkey && hidden('passkeys', '')}
<label for="login">${text('login')}</label>
<input type="text" id="login" name="login" value="${form.login}" autocomplete="${passkey ? 'username webauthn' : 'username'}" autocapitalize="none" spellcheck="false" required${inError(isWrong, { isFirst: !isPasswordFirst })}>
<label for="password">${text('password')}</label>
<input type="password" id="password" name="password" autocomplete="current-password" required${inError(isWrong, { isFirst: isPasswordFirst })}>
${showPassword(presentation)}
<button type="submit">${heading}</button>
${reason === 'link' && markup`<button class="plain" type="submit" formaction="${form.action}/identity/mail" formnovalidate>${text('linkByMail')}</button>`}
</form>
${passkeyForm(presentation, form)}
${deviceOffer(presentation, form)}
${providerLinks(presentation, form)}
${form.forgotten !== undefined && markup`<p class="aside"><a href="${form.forgotten}">${text('forgotten')}</a></p>`}
${reason !== 'reactivate' && form.register !== undefined && markup`<p class="aside"><a href="${form.register}${proofQuery(form.proof)}">${text('newHere')}</a></p>`}
${cancelLink(presentation, form.action)}`;
  return page(presentation, heading, content);
}

/** The way back to the app. */
export const cancelLink = ({ text }: Presentation, action: string) =>
  markup`<p class="aside"><a href="${action}/cancel">${text('cancel')}</a></p>`;

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
<p class="aside"><a href="${action}?account=other">${text('useAnother')}</a></p>
${cancelLink(presentation, action)}`;
  return page(presentation, text('continueAs', { name }), content);
}

/** Optional parts of an error page. */
export interface ErrorDetails {
  /** OAuth error code. */
  readonly code?: string | undefined;
  /** The error, for developers. */
  readonly description?: string | undefined;
  /** Path of the login form. */
  readonly back?: string | undefined;
}

/** An error page. */
export function errorPage(
  presentation: Presentation,
  message: TextName,
  { code, description, back }: ErrorDetails = {},
): string {
  const { text } = presentation;
  const content = markup`<p class="problem" role="alert">${text(message)}</p>
${code !== undefined && markup`<p class="note">${text('errorCode', { code: description === undefined ? code : `${code}, ${description}` })}</p>`}
${back !== undefined && markup`<p class="aside"><a href="${back}">${text('backToSignIn')}</a></p>`}`;
  return page(presentation, text('errorTitle'), content);
}

/** Asks whether to sign out; `form` is the provider's, with its hidden fields. `stay` is where somebody goes who does not. */
export function signOutPage(presentation: Presentation, form: Html, stay: string | undefined): string {
  const { text } = presentation;
  const content = markup`<p>${text('signOutWhy')}</p>
${form}
<button type="submit" form="op.logoutForm" name="logout" value="yes">${text('signOut')}</button>
<button class="plain" type="submit" form="op.logoutForm" name="logout" value="everywhere">${text('signOutEverywhere')}</button>
<p class="note">${text('signOutEverywhereWhy')}</p>
${stay !== undefined && markup`<p class="aside"><a href="${stay}">${text('staySignedIn')}</a></p>`}`;
  return page(presentation, text('signOut'), content);
}

/** The page after a sign-out. */
export function signedOutPage(presentation: Presentation): string {
  const { text } = presentation;
  const content = markup`<p>${text('signedOutWhy')}</p>
${homeLink(presentation)}`;
  return page(presentation, text('signedOut'), content);
}
