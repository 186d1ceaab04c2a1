import { passwordMaximum } from '../../accounts/passwords/password-rules.ts';
import { described, hidden, page, problemBox } from './layout.ts';
import { markup } from '../../localization/html.ts';
import type { PageSetting } from '../../localization/presentation.ts';
import type { Texts } from '../../localization/en-us.ts';

/** The form for those who have forgotten their password. */
export interface ForgottenForm {
  /** Address of the sign-in that it belongs to. */
  readonly action: string;
  readonly csrf: string;
  readonly problem?: string | undefined;
}

/** Asks for the username or e-mail that a link shall be sent to. */
export function forgottenPage(setting: PageSetting, { action, csrf, problem }: ForgottenForm): string {
  const { text } = setting;
  const content = markup`<p class="note">${text('forgottenWhy')}</p>
${problemBox(problem)}
<form method="post" action="${action}/forgotten">
${hidden('csrf', csrf)}
<label for="login">${text('login')}</label>
<input type="text" id="login" name="login" autocomplete="username" autocapitalize="none" spellcheck="false" required${described(problem)}>
<button type="submit">${text('sendLink')}</button>
</form>
<p class="aside"><a href="${action}">${text('backToSignIn')}</a></p>`;
  return page(setting, text('forgotten'), content);
}

/** Says the same whether a link was sent or not. */
export function sentPage(
  setting: PageSetting,
  sent: { action: string; minutes: number; why?: 'checkMailWhy' | 'checkMailDeviceWhy' },
): string {
  const { text } = setting;
  const content = markup`<p>${text(sent.why ?? 'checkMailWhy', { minutes: sent.minutes })}</p>
<p class="aside"><a href="${sent.action}">${text('backToSignIn')}</a></p>`;
  return page(setting, text('checkMail'), content);
}

/** The form for a new password. */
export interface NewPasswordForm {
  readonly action: string;
  /** For password managers, which keep the two together. */
  readonly username: string;
  /** The site's minimum length. */
  readonly minimum: number;
  readonly problem?: string | undefined;
}

const rulesId = 'rules';

/** Asks for a new password. */
export function newPasswordPage(setting: PageSetting, form: NewPasswordForm): string {
  const { text } = setting;
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
  return page(setting, text('newPassword'), content);
}

/** The form that changes the password of a member who is signed in. */
export interface ChangePasswordForm extends NewPasswordForm {
  readonly csrf: string;
}

/** Asks for the current password and a new one. */
export function changePasswordPage(setting: PageSetting, form: ChangePasswordForm): string {
  const { text } = setting;
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
  return page(setting, text('changePassword'), content);
}

/** Asks whether an address is the member's. */
export function confirmEmailPage(setting: PageSetting, form: { action: string; email: string }): string {
  const { text, title } = setting;
  const content = markup`<p>${text('confirmEmailWhy', { email: form.email, site: title })}</p>
<form method="post" action="${form.action}">
<button type="submit">${text('confirm')}</button>
</form>`;
  return page(setting, text('confirmEmail'), content);
}

/** Asks whether this browser may be known for the account. */
export function confirmDevicePage(setting: PageSetting, action: string): string {
  const { text, title } = setting;
  const content = markup`<p>${text('confirmDeviceWhy', { site: title })}</p>
<form method="post" action="${action}">
<button type="submit">${text('proceed')}</button>
</form>`;
  return page(setting, text('confirmDevice'), content);
}

/** Asks whether a change of the address is to be taken back. */
export function revertEmailPage(setting: PageSetting, form: { action: string; email: string }): string {
  const { text, title } = setting;
  const content = markup`<p>${text('revertEmailWhy', { email: form.email, site: title })}</p>
<form method="post" action="${form.action}">
<button type="submit">${text('revertEmailButton')}</button>
</form>`;
  return page(setting, text('revertEmail'), content);
}

/** A page that ends here and says what happened. */
export function messagePage(setting: PageSetting, title: keyof Texts, why: keyof Texts): string {
  return page(setting, setting.text(title), markup`<p>${setting.text(why)}</p>`);
}
