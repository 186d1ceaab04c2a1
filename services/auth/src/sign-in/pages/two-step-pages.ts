import { markup } from '../../localization/html.ts';
import type { Presentation } from '../../localization/presentation.ts';
import { dayIn } from '../../localization/dates.ts';
import { hidden, inError } from './layout.ts';
import { memberLayout, type MemberPage } from './member-page.ts';
import { newAppForm, type NewApp } from './second-factor-pages.ts';

/** The page that turns two-step sign-in on. */
interface TwoStepOffPage extends MemberPage {
  readonly app: NewApp;
}

/** Offers two-step sign-in: the first code of an app turns it on. */
export function twoStepOffPage(presentation: Presentation, form: TwoStepOffPage): string {
  const { text } = presentation;
  const { action, csrf, app, problem } = form;
  const fields = markup`${hidden('csrf', csrf)}${hidden('action', 'on')}`;
  const content = markup`<p class="note">${text('twoStepWhy')}</p>
<h2>${text('enrollApp')}</h2>
${newAppForm(presentation, app, { action, fields, button: text('twoStepTurnOn'), isWrong: problem !== undefined })}
<p class="note small">${text('twoStepOthers')}</p>`;
  return memberLayout(presentation, 'twoStep', form, content, problem !== undefined);
}

/** The page of two-step sign-in that is on. */
interface TwoStepOnPage extends MemberPage {
  readonly since: Date;
  readonly codesLeft: number;
  /** Whether a code has to prove that it is the member; not after a sign-in with a passkey. */
  readonly needsCode: boolean;
}

/** Says that two-step sign-in is on, and takes a code to change that. */
export function twoStepOnPage(presentation: Presentation, form: TwoStepOnPage): string {
  const { text } = presentation;
  const { action, csrf, since, codesLeft, needsCode, problem } = form;
  const isWrong = problem !== undefined;
  const content = markup`<p>${text('twoStepOn', { date: dayIn(presentation, since) })}<br>${text('twoStepCodesLeft', { codes: codesLeft })}</p>
<form method="post" action="${action}">
${hidden('csrf', csrf)}
${
  needsCode
    ? markup`<p class="note" id="prove">${text('twoStepProve')}</p>
<label for="code">${text('twoStepCode')}</label>
<input type="text" id="code" name="code" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" maxlength="60" required${inError(isWrong, { notes: ['prove'] })}>`
    : markup`<p class="note">${text('twoStepByPasskey')}</p>`
}
<button type="submit" name="action" value="codes">${text('twoStepNewCodes')}</button>
<button class="plain" type="submit" name="action" value="off">${text('twoStepTurnOff')}</button>
</form>`;
  return memberLayout(presentation, 'twoStep', form, content, isWrong && needsCode);
}
