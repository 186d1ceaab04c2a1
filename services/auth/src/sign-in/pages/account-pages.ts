import { passwordMaximum } from '../../accounts/passwords/password-rules.ts';
import { described, hidden, page, problemBox } from './layout.ts';
import { markup } from '../../localization/html.ts';
import type { Presentation } from '../../localization/presentation.ts';
import type { Texts } from '../../localization/en-us.ts';

/** The form for a forgotten password. */
export interface ForgottenForm {
  /** Path of its interaction. */
  readonly action: string;
  readonly csrf: string;
  readonly problem?: string | undefined;
}

/** Asks for the username or e-mail address for a password mail. */
export function forgottenPage(presentation: Presentation, { action, csrf, problem }: ForgottenForm): string {
  const { text } = presentation;
  const content = markup`<p class="note">${text('forgottenWhy')}</p>
${problemBox(problem)}
<form method="post" action="${action}/forgotten">
${hidden('csrf', csrf)}
<label for="login">${text('login')}</label>
<input type="text" id="login" name="login" autocomplete="username" autocapitalize="none" spellcheck="false" required${described(problem)}>
<button type="submit">${text('sendLink')}</button>
</form>
<p class="aside"><a href="${action}">${text('backToSignIn')}</a></p>`;
  return page(presentation, text('forgotten'), content);
}

/** The page after a request for a mail, the same for unknown accounts. */
export function sentPage(
  presentation: Presentation,
  sent: { action: string; minutes: number; why?: 'checkMailWhy' | 'checkMailDeviceWhy' },
): string {
  const { text } = presentation;
  const content = markup`<p>${text(sent.why ?? 'checkMailWhy', { minutes: sent.minutes })}</p>
<p class="aside"><a href="${sent.action}">${text('backToSignIn')}</a></p>`;
  return page(presentation, text('checkMail'), content);
}

/** The form for a new password. */
export interface NewPasswordForm {
  readonly action: string;
  /** For password managers. */
  readonly username: string;
  /** The site's minimum length. */
  readonly minimum: number;
  readonly problem?: string | undefined;
}

const rulesId = 'rules';

/** Asks for a new password. */
export function newPasswordPage(presentation: Presentation, form: NewPasswordForm): string {
  const { text } = presentation;
  const { action, username, minimum, problem } = form;
  const wrong = problem !== undefined && markup` aria-invalid="true"`;
  const content = markup`${problemBox(problem)}
<form method="post" action="${action}">
<label for="username">${text('username')}</label>
<input type="text" id="username" value="${username}" autocomplete="username" readonly>
<label for="password">${text('newPassword')}</label>
<input type="password" id="password" name="password" minlength="${minimum}" autocomplete="new-password" aria-describedby="${rulesId}" required${wrong}>
<p class="note small" id="${rulesId}">${text('newPasswordWhy', { minimum, maximum: passwordMaximum })}</p>
<button type="submit">${text('savePassword')}</button>
</form>`;
  return page(presentation, text('newPassword'), content);
}

/** The form that changes the password of a member who is signed in. */
export interface ChangePasswordForm extends NewPasswordForm {
  readonly csrf: string;
}

/** Asks for the current password and a new one. */
export function changePasswordPage(presentation: Presentation, form: ChangePasswordForm): string {
  const { text } = presentation;
  const { action, csrf, username, minimum, problem } = form;
  const content = markup`${problemBox(problem)}
<form method="post" action="${action}">
${hidden('csrf', csrf)}
<label for="username">${text('username')}</label>
<input type="text" id="username" value="${username}" autocomplete="username" readonly>
<label for="current">${text('currentPassword')}</label>
<input type="password" id="current" name="current" autocomplete="current-password" required${described(problem)}>
<label for="password">${text('newPassword')}</label>
<input type="password" id="password" name="password" minlength="${minimum}" autocomplete="new-password" aria-describedby="${rulesId}" required>
<p class="note small" id="${rulesId}">${text('newPasswordWhy', { minimum, maximum: passwordMaximum })}</p>
<button type="submit">${text('savePassword')}</button>
</form>`;
  return page(presentation, text('changePassword'), content);
}

/** Asks to confirm an address. */
export function confirmEmailPage(
  presentation: Presentation,
  form: { action: string; email: string },
): string {
  const { text, title } = presentation;
  const content = markup`<p>${text('confirmEmailWhy', { email: form.email, site: title })}</p>
<form method="post" action="${form.action}">
<button type="submit">${text('confirm')}</button>
</form>`;
  return page(presentation, text('confirmEmail'), content);
}

/** Asks to make this browser a known device. */
export function confirmDevicePage(presentation: Presentation, action: string): string {
  const { text, title } = presentation;
  const content = markup`<p>${text('confirmDeviceWhy', { site: title })}</p>
<form method="post" action="${action}">
<button type="submit">${text('proceed')}</button>
</form>`;
  return page(presentation, text('confirmDevice'), content);
}

/** Asks to revert a change of the address. */
export function revertEmailPage(presentation: Presentation, form: { action: string; email: string }): string {
  const { text, title } = presentation;
  const content = markup`<p>${text('revertEmailWhy', { email: form.email, site: title })}</p>
<form method="post" action="${form.action}">
<button type="submit">${text('revertEmailButton')}</button>
</form>`;
  return page(presentation, text('revertEmail'), content);
}

/** A page with a message. */
export function messagePage(presentation: Presentation, title: keyof Texts, why: keyof Texts): string {
  return page(presentation, presentation.text(title), markup`<p>${presentation.text(why)}</p>`);
}
