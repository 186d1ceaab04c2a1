import { passwordMaximum } from '../../accounts/passwords/password-rules.ts';
import { hidden, inError, page, problemBox, showPassword } from './layout.ts';
import { memberLayout, type MemberPage } from './member-page.ts';
import { markup, type Html } from '../../localization/html.ts';
import type { Presentation, TextName } from '../../localization/presentation.ts';

/** The form for a forgotten password. */
export interface ForgottenForm {
  /** Path of its interaction. */
  readonly action: string;
  readonly csrf: string;
  readonly problem?: string | undefined;
}

/** Asks for the username or email address for a password mail. */
export function forgottenPage(presentation: Presentation, { action, csrf, problem }: ForgottenForm): string {
  const { text } = presentation;
  const content = markup`<p class="note">${text('forgottenWhy')}</p>
${problemBox(problem)}
<form method="post" action="${action}/forgotten">
${hidden('csrf', csrf)}
<label for="login">${text('login')}</label>
<input type="text" id="login" name="login" autocomplete="username" autocapitalize="none" spellcheck="false" required${inError(problem !== undefined)}>
<button type="submit">${text('sendLink')}</button>
</form>
<p class="aside"><a href="${action}">${text('backToSignIn')}</a></p>`;
  return page(presentation, text('forgotten'), content);
}

/** The page after a request for a mail, the same for unknown accounts. */
export function sentPage(
  presentation: Presentation,
  sent: {
    action: string;
    minutes?: number;
    why: 'checkMailLinkWhy' | 'checkMailDeviceWhy' | 'checkMailHereWhy';
  },
): string {
  const { text } = presentation;
  const content = markup`<p>${text(sent.why, { minutes: sent.minutes ?? 0 })}</p>
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
  /** Why it is asked for. */
  readonly note?: TextName | undefined;
  readonly problem?: string | undefined;
}

const rulesId = 'rules';

/** The password field with its rules, and the button. */
const newPasswordFields = (
  presentation: Presentation,
  { minimum }: NewPasswordForm,
  isWrong: boolean,
  others?: Html,
) => {
  const { text } = presentation;
  return markup`<label for="password">${text('newPassword')}</label>
<input type="password" id="password" name="password" minlength="${minimum}" autocomplete="new-password" required${inError(isWrong, { notes: [rulesId] })}>
<p class="note small" id="${rulesId}">${text('newPasswordWhy', { minimum, maximum: passwordMaximum })}</p>
${showPassword(presentation)}${others}
<button type="submit">${text('savePassword')}</button>`;
};

const usernameField = ({ text }: Presentation, { username }: NewPasswordForm) =>
  markup`<label for="username">${text('username')}</label>
<input type="text" id="username" value="${username}" autocomplete="username" readonly>`;

/** Fields that the form of a sign-in brings back. */
interface KeptFields {
  readonly csrf?: string;
  readonly proof?: string;
}

/** Asks for a new password. */
export function newPasswordPage(presentation: Presentation, form: NewPasswordForm & KeptFields): string {
  const { note } = form;
  const content = markup`${note && markup`<p>${presentation.text(note)}</p>`}
${problemBox(form.problem)}
<form method="post" action="${form.action}">
${hidden('csrf', form.csrf)}${hidden('proof', form.proof)}
${usernameField(presentation, form)}
${newPasswordFields(presentation, form, form.problem !== undefined)}
</form>`;
  return page(presentation, presentation.text('newPassword'), content);
}

/** The form that changes the password of a signed-in member. */
export interface ChangePasswordForm extends MemberPage, NewPasswordForm {
  readonly problem?: string | undefined;
  /** Whether the current password is asked for. */
  readonly needsCurrent: boolean;
  /** The field in error. */
  readonly wrong?: 'current' | 'password' | undefined;
}

/** Asks for a new password, and for the current one unless something else has proven who it is. */
export function changePasswordPage(presentation: Presentation, form: ChangePasswordForm): string {
  const { text } = presentation;
  const { wrong } = form;
  const others = markup`<label class="box"><input type="checkbox" name="others" value="end">${text('endOthers')}</label>`;
  const content = markup`<form method="post" action="${form.action}">
${hidden('csrf', form.csrf)}
${usernameField(presentation, form)}
${
  form.needsCurrent &&
  markup`<label for="current">${text('currentPassword')}</label>
<input type="password" id="current" name="current" autocomplete="current-password" required${inError(wrong === 'current')}>`
}
${newPasswordFields(presentation, form, wrong === 'password', others)}
</form>`;
  return memberLayout(presentation, 'changePassword', form, content, wrong !== undefined);
}

/** A question with one button. */
export interface Question {
  readonly title: TextName;
  readonly text: TextName;
  readonly button: TextName;
  /** The address that it is about. */
  readonly email?: string;
}

/** Asks a question. */
export function questionPage(
  presentation: Presentation,
  { title, text: question, button, email = '' }: Question,
  action: string,
): string {
  const { text, title: site } = presentation;
  const content = markup`<p>${text(question, { email, site })}</p>
<form method="post" action="${action}">
<button type="submit">${text(button)}</button>
</form>`;
  return page(presentation, text(title), content);
}

/** A page with a message. */
export function messagePage(
  presentation: Presentation,
  title: TextName,
  why: TextName,
  values: Readonly<Record<string, string>> = {},
): string {
  return page(presentation, presentation.text(title), markup`<p>${presentation.text(why, values)}</p>`);
}
