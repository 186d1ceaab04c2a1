import { changeDays } from '../../accounts/addresses.ts';
import { markup } from '../../localization/html.ts';
import type { Presentation } from '../../localization/presentation.ts';
import { hidden, inError } from './layout.ts';
import { memberLayout, type MemberPage } from './member-page.ts';

/** The page that changes the email address. */
interface EmailPage extends MemberPage {
  readonly email: string;
  /** The new address that waits for its confirmation. */
  readonly pending: string | undefined;
  /** Former addresses that can undo a change, and until when. */
  readonly guards: readonly { readonly email: string; readonly date: string }[];
  /** The entry in error. */
  readonly entered?: string | undefined;
}

/** Asks for a new email address, or whether to withdraw the one that waits. */
export function emailPage(presentation: Presentation, form: EmailPage): string {
  const { text } = presentation;
  const { action, csrf, email, pending, guards, entered } = form;
  const isWrong = entered !== undefined;
  const content = markup`<p>${text('currentEmail', { email })}</p>
${guards.map((guard) => markup`<p>${text('emailGuard', { ...guard })}</p>`)}
${
  pending !== undefined &&
  markup`<form method="post" action="${action}">
<p>${text('emailPending', { email: pending })}</p>
${hidden('csrf', csrf)}
<button class="plain" type="submit" name="action" value="keep">${text('emailKeep')}</button>
</form>`
}
<form method="post" action="${action}">
${hidden('csrf', csrf)}
<label for="email">${text('newEmail')}</label>
<input type="email" id="email" name="email" value="${entered}" autocomplete="email" autocapitalize="none" spellcheck="false" maxlength="255" required${inError(isWrong, { notes: ['email-note'] })}>
<p class="note small" id="email-note">${text('changeEmailWhy', { days: changeDays })}</p>
<button type="submit" name="action" value="change">${text('sendLink')}</button>
</form>`;
  return memberLayout(presentation, 'changeEmail', form, content, isWrong);
}

/** Offers everything that is stored about the member. */
export function exportPage(presentation: Presentation, form: MemberPage): string {
  const { text } = presentation;
  const content = markup`<p>${text('exportDataWhy')}</p>
<form method="post" action="${form.action}">
${hidden('csrf', form.csrf)}
<button type="submit">${text('download')}</button>
</form>`;
  return memberLayout(presentation, 'exportData', form, content);
}

/** The page that deletes the account. */
interface DeletePage extends MemberPage {
  /** Days until everything is erased. */
  readonly days: number;
  /** The form was sent without the confirmation. */
  readonly isUnconfirmed?: boolean;
}

/** Says what a deletion does, and asks for a confirmation. */
export function deletePage(presentation: Presentation, form: DeletePage): string {
  const { text, title: site } = presentation;
  const { days, isUnconfirmed = false } = form;
  const content = markup`<p>${text('deleteNow')}</p>
<p>${text('deleteLater', { days })}</p>
<form method="post" action="${form.action}">
${hidden('csrf', form.csrf)}
<label class="box"><input type="checkbox" name="confirm" value="yes" required${inError(isUnconfirmed)}>${text('deleteConfirm', { site })}</label>
<button type="submit">${text('deleteAccount')}</button>
</form>`;
  return memberLayout(presentation, 'deleteAccount', form, content, isUnconfirmed);
}
