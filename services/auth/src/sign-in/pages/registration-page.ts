import { failureCodeOf } from '@covalence/contract/catalogue/check-value';
import type { Field, FieldKind } from '@covalence/contract/catalogue/field';
import { failCodes } from '@covalence/contract/failure-codes';
import { placeNames } from '@covalence/contract/registration-fields';
import { passwordMaximum } from '../../accounts/passwords/password-rules.ts';
import { fieldChoices, fieldLabel } from '../../localization/field-labels.ts';
import { Html, markup } from '../../localization/html.ts';
import { cancelLink } from './sign-in-pages.ts';
import type { Presentation, TextName } from '../../localization/presentation.ts';
import { hidden, inError, page, problemBox, showPassword } from './layout.ts';

/** The entries of a form by field. */
export type Entries = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The form that registers a member. */
export interface RegistrationForm {
  readonly action: string;
  readonly csrf: string;
  /** Id under which the same form counts as one registration. */
  readonly attempt: string;
  readonly proof: string | undefined;
  /** Path of the login form. */
  readonly signIn: string;
  readonly fields: readonly Field[];
  readonly minimumAge: number;
  readonly passwordMinimum: number;
  readonly entries: Entries;
  /** Failure code of each field in error. */
  readonly failed: Readonly<Partial<Record<string, number>>>;
  /** Why the form is shown again, beside the fields in error. */
  readonly problem?: string | undefined;
}

/** Attributes by which a browser fills in and checks fields, by kind of field. */
const kindAttributes: Partial<Record<FieldKind, Html>> = {
  username: new Html(' autocomplete="username" autocapitalize="none" spellcheck="false"'),
  email: new Html(' autocomplete="email" autocapitalize="none" spellcheck="false"'),
  password: new Html(' autocomplete="new-password"'),
  date: new Html(' autocomplete="bday"'),
  integer: new Html(' step="1"'),
  number: new Html(' step="any"'),
  country: new Html(' autocomplete="country"'),
};
const nameAttributes: Readonly<Partial<Record<string, Html>>> = {
  city: new Html(' autocomplete="address-level2"'),
  state: new Html(' autocomplete="address-level1"'),
  zip: new Html(' autocomplete="postal-code"'),
  first_name: new Html(' autocomplete="given-name"'),
  last_name: new Html(' autocomplete="family-name"'),
};

const inputTypes: Partial<Record<FieldKind, string>> = {
  email: 'email',
  password: 'password',
  date: 'date',
  integer: 'number',
  number: 'number',
};

const messages: Readonly<Partial<Record<number, TextName>>> = {
  [failCodes.usernameTaken]: 'usernameTaken',
  [failCodes.usernameInvalid]: 'usernameInvalid',
  [failCodes.passwordInvalid]: 'badPassword',
  [failCodes.emailTaken]: 'emailTaken',
  [failCodes.emailInvalid]: 'emailInvalid',
  [failCodes.birthDateInvalid]: 'birthDateInvalid',
  [failCodes.ageBelowMinimum]: 'tooYoung',
};

/** Texts from this length get several lines. */
const longText = 256;

const textOf = (entry: Entries[string]): string => (typeof entry === 'string' ? entry : '');

const isPlacePart = (name: string) => name !== 'country' && placeNames.some((one) => one === name);

function messageOf(field: Field, { failed, entries, minimumAge }: RegistrationForm, { text }: Presentation) {
  const code = failed[field.name];
  if (code === undefined) return undefined;
  const isEmpty = !entries[field.name]?.length;
  if (isPlacePart(field.name) && isEmpty) return text('placeWhy');
  const isMissing = isEmpty && code === failureCodeOf(field, 'register') && field.kind !== 'password';
  return text(isMissing ? 'fieldMissing' : (messages[code] ?? 'fieldInvalid'), { age: minimumAge });
}

/** A hint below a field. */
function hintOf({ kind, name }: Field, { passwordMinimum }: RegistrationForm, { text }: Presentation) {
  if (kind === 'password')
    return text('newPasswordWhy', { minimum: passwordMinimum, maximum: passwordMaximum });
  return name === 'city' ? text('placeWhy') : undefined;
}

/** The description of a control and the mark of an error. The first control of the first field in error has the focus. */
function errorAttributes(
  field: Field,
  { fields, failed }: RegistrationForm,
  isFirstOfField: boolean,
  notes: readonly string[] = [],
): Html {
  const isFirst = isFirstOfField && fields.find(({ name }) => failed[name] !== undefined) === field;
  return inError(failed[field.name] !== undefined, { isFirst, notes, problem: `${field.name}-problem` });
}

/** Attributes of every control of a field: id, name, description, and the mark of an error. */
function attributesOf(field: Field, form: RegistrationForm, presentation: Presentation): Html {
  const { name, kind } = field;
  const notes = hintOf(field, form, presentation) === undefined ? [] : [`${name}-hint`];
  return markup` id="${name}" name="${name}"${nameAttributes[name] ?? kindAttributes[kind]}${!isPlacePart(name) && markup` required`}${errorAttributes(field, form, true, notes)}`;
}

const optionsOf = (choices: readonly { value: string; label: string }[], chosen: string) =>
  choices.map(
    ({ value, label }) =>
      markup`<option value="${value}"${value === chosen && markup` selected`}>${label}</option>`,
  );

function inputOf(field: Field, form: RegistrationForm, attributes: Html): Html {
  const { kind, name, limits } = field;
  const entry = kind === 'password' ? undefined : textOf(form.entries[name]);
  const { min, max } = kind === 'password' ? { min: form.passwordMinimum, max: undefined } : (limits ?? {});
  if (kind === 'integer' || kind === 'number')
    return markup`<input type="number"${attributes}${min !== undefined && markup` min="${min}"`}${max !== undefined && markup` max="${max}"`} value="${entry}">`;
  const lengths = markup`${min !== undefined && markup` minlength="${min}"`}${max !== undefined && markup` maxlength="${max}"`}`;
  if (kind === 'text' && (max ?? 0) >= longText)
    return markup`<textarea rows="4"${attributes}${lengths}>${entry}</textarea>`;
  return markup`<input type="${inputTypes[kind] ?? 'text'}"${attributes}${kind !== 'date' && lengths}${entry !== undefined && markup` value="${entry}"`}>`;
}

function controlOf(field: Field, form: RegistrationForm, presentation: Presentation): Html {
  const attributes = attributesOf(field, form, presentation);
  const { text, locale } = presentation;
  const entry = textOf(form.entries[field.name]);
  const booleans = [
    { value: 'true', label: text('yes') },
    { value: 'false', label: text('no') },
  ];
  const choices = field.kind === 'boolean' ? booleans : fieldChoices(field, locale);
  if (!choices) return inputOf(field, form, attributes);
  return markup`<select${attributes}><option value="">${text('choose')}</option>${optionsOf(choices, entry)}</select>`;
}

/** Several values of one field: a group of boxes. */
function boxesOf(field: Field, form: RegistrationForm, presentation: Presentation): Html {
  const chosen = [form.entries[field.name] ?? []].flat();
  const boxes = fieldChoices(field, presentation.locale)?.map(
    ({ value, label }, index) =>
      markup`<label class="box"><input type="checkbox" name="${field.name}" value="${value}"${chosen.includes(value) && markup` checked`}${errorAttributes(field, form, index === 0)}>${label}</label>`,
  );
  return markup`<fieldset><legend>${fieldLabel(field, presentation.locale)}</legend>${boxes}${problemOf(field, form, presentation)}</fieldset>`;
}

function problemOf(field: Field, form: RegistrationForm, presentation: Presentation): Html | false {
  const message = messageOf(field, form, presentation);
  return message !== undefined && markup`<p class="wrong" id="${field.name}-problem">${message}</p>`;
}

function fieldOf(field: Field, form: RegistrationForm, presentation: Presentation): Html {
  if (field.kind === 'choices') return boxesOf(field, form, presentation);
  const hint = hintOf(field, form, presentation);
  return markup`<label for="${field.name}">${fieldLabel(field, presentation.locale)}</label>
${controlOf(field, form, presentation)}
${problemOf(field, form, presentation)}${hint !== undefined && markup`<p class="note small" id="${field.name}-hint">${hint}</p>`}${field.kind === 'password' && showPassword(presentation)}`;
}

/** Asks for what a site requires of a member. */
export function registrationPage(presentation: Presentation, form: RegistrationForm): string {
  const { text, documents } = presentation;
  const problem = form.problem ?? (Object.keys(form.failed).length ? text('correctFields') : undefined);
  const content = markup`${problemBox(problem, form.problem !== undefined)}
<form method="post" action="${form.action}">
${hidden('csrf', form.csrf)}${hidden('attempt', form.attempt)}${hidden('proof', form.proof)}
${form.fields.map((field) => fieldOf(field, form, presentation))}
${documents.terms !== undefined && markup`<p class="note small">${text('acceptTerms')}</p>`}
<button type="submit">${text('register')}</button>
</form>
<p class="aside"><a href="${form.signIn}">${text('signInInstead')}</a></p>
${cancelLink(presentation, form.signIn)}`;
  return page(presentation, text('register'), content);
}

/** Asks for the site to register on. */
export function registrationSitePage(
  presentation: Presentation,
  sites: readonly { readonly title: string; readonly path: string }[],
): string {
  const { text } = presentation;
  const links = sites.map(({ title, path }) => markup`<a class="button plain" href="${path}">${title}</a>`);
  return page(
    presentation,
    text('chooseSite'),
    markup`<p class="note">${text('registerSiteWhy')}</p>${links}`,
  );
}
