import { Html, markup } from '../../localization/html.ts';
import type { Presentation } from '../../localization/presentation.ts';
import { hidden, inError, page, problemBox } from './layout.ts';
import type { PasskeyData } from '../webauthn/ceremony.ts';
import { newPasskeyForm } from './passkey-pages.ts';
import { passkeyForm, type LoginForm } from './sign-in-pages.ts';

/** The fields that every form of the second factor brings back. */
interface FactorForm {
  readonly action: string;
  readonly csrf: string;
  readonly proof: string;
  readonly problem?: string | undefined;
}

/** A new app: its key in base32, the picture of its address as SVG, and the key as the form brings it back, sealed. */
export interface NewApp {
  readonly key: string;
  readonly picture: string;
  readonly enrollment: string;
}

const kept = ({ csrf, proof }: FactorForm): Html => markup`${hidden('csrf', csrf)}${hidden('proof', proof)}`;

/** A field for the six digits of an app. */
const appCode = ({ text }: Presentation, isWrong: boolean, isFocused = true): Html =>
  markup`<label for="code">${text('appCode')}</label>
<input type="text" id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="10" required${isWrong ? inError(true) : isFocused && markup` autofocus`}>`;

/** The second factor of an account. */
interface SecondFactorPage extends FactorForm {
  readonly hasApp: boolean;
  /** Whether the entry in error is a recovery code. */
  readonly isRecoveryWrong?: boolean | undefined;
  /** Of staff, whom administrators help. */
  readonly isOfStaff: boolean;
  /** The form that signs in with a passkey. */
  readonly passkey: LoginForm | undefined;
}

/** A form for a recovery code. */
const recoveryForm = (presentation: Presentation, form: SecondFactorPage, isWrong: boolean): Html => {
  const { text } = presentation;
  return markup`<form method="post" action="${form.action}">
${kept(form)}
<label for="recovery">${text('recoveryCode')}</label>
<input type="text" id="recovery" name="code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="60" required${inError(isWrong)}>
<button class="plain" type="submit">${text('proceed')}</button>
</form>`;
};

/** Asks for the second factor. */
export function secondFactorPage(presentation: Presentation, form: SecondFactorPage): string {
  const { text } = presentation;
  const { hasApp, passkey, problem, isOfStaff, isRecoveryWrong = false } = form;
  const isWrong = problem !== undefined;
  // Only an administrator leaves a staff account with a code alone.
  const isReset = isOfStaff && !hasApp && !passkey;
  const other = isReset ? 'secondFactorReset' : 'secondFactorOther';
  const content = markup`<p class="note">${text(hasApp ? 'secondFactorApp' : other)}</p>
${problemBox(problem)}
${
  hasApp &&
  markup`<form method="post" action="${form.action}">
${kept(form)}
${appCode(presentation, isWrong && !isRecoveryWrong, !isRecoveryWrong)}
<button type="submit">${text('proceed')}</button>
</form>`
}
${passkey && passkeyForm(presentation, passkey)}
${
  hasApp || passkey
    ? markup`<details${isRecoveryWrong && markup` open`}><summary>${text('useRecoveryCode')}</summary>${recoveryForm(presentation, form, isRecoveryWrong)}</details>`
    : recoveryForm(presentation, form, isWrong)
}
${!isReset && markup`<p class="note small">${text(isOfStaff ? 'secondFactorLost' : 'secondFactorLostMember')}</p>`}`;
  return page(presentation, text('secondFactor'), content);
}

/** A new second factor. */
interface EnrollmentPage extends FactorForm {
  readonly app: NewApp;
  readonly added: PasskeyData;
  /** Whether the sign-in can go on without it. */
  readonly canSkip: boolean;
}

const groups = /.{1,4}/g;

/** The picture and the key of a new app, and the form for the first code that it shows. */
export const newAppForm = (
  presentation: Presentation,
  { key, picture, enrollment }: NewApp,
  form: {
    readonly action: string;
    readonly fields: Html;
    readonly button: string;
    readonly isWrong: boolean;
  },
): Html => {
  const { text } = presentation;
  return markup`<p>${text('enrollScan')}</p>
<div class="qr" role="img" aria-label="${text('enrollPicture')}">${new Html(picture)}</div>
<p class="note small">${text('enrollKey')}</p>
<p class="code">${(key.match(groups) ?? []).join(' ')}</p>
<form method="post" action="${form.action}">
${form.fields}${hidden('enrollment', enrollment)}
${appCode(presentation, form.isWrong)}
<button type="submit">${form.button}</button>
</form>`;
};

/** Offers an app, whose first code proves that it works, and a passkey. */
export function enrollmentPage(presentation: Presentation, form: EnrollmentPage): string {
  const { text } = presentation;
  const { app, added, canSkip, problem, action } = form;
  const content = markup`<p class="note">${text(canSkip ? 'enrollAgainWhy' : 'enrollWhy')}</p>
${problemBox(problem)}
<h2>${text('enrollApp')}</h2>
${newAppForm(presentation, app, { action, fields: kept(form), button: text('enrollUse'), isWrong: problem !== undefined })}
${newPasskeyForm(presentation, { action, added, fields: markup`${kept(form)}<h2>${text('passkey')}</h2><p>${text('enrollPasskey')}</p>` })}
${
  canSkip &&
  markup`<form method="post" action="${action}">
${kept(form)}
<button class="plain" type="submit" name="skip" value="yes">${text('notNow')}</button>
</form>`
}`;
  return page(presentation, text('enroll'), content);
}

/** Shows recovery codes, and the way on. */
export function recoveryCodesPage(
  presentation: Presentation,
  { codes, next }: { readonly codes: readonly string[]; readonly next: string },
): string {
  const { text } = presentation;
  const content = markup`<p>${text('recoveryCodesWhy')}</p>
<ul class="codes">${codes.map((code) => markup`<li class="code">${code}</li>`)}</ul>
<a class="button" href="${next}">${text('recoveryCodesKept')}</a>`;
  return page(presentation, text('recoveryCodes'), content);
}
