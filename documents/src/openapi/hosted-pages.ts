import { documented } from '@covalence/contract/parameters';
import { pointAt } from './failures.ts';
import type { Operation, Operations } from './operation.ts';
import {
  form,
  formFaults,
  html,
  inPath,
  object,
  pageFaults,
  query,
  redirect,
  refusal,
  text,
  type Row,
} from './parts.ts';
import { authorizeResponses } from './sign-in.ts';
import type { Schema } from './schema.ts';

/** The pages that the auth service shows in the browser, each with its form. */

const operation = (rest: Omit<Operation, 'tags' | 'security'>): Operation => ({
  ...rest,
  tags: ['Hosted pages'],
  security: [],
});

const page = html('The page.');
const refused = refusal('A page that says why the request is refused.');
const unknown = refusal('The page does not exist.');

/** A page and its form, which have the same address. */
interface Page {
  /** Operation id and summary of the page. */
  readonly show: readonly [operationId: string, summary: string];
  /** The same of its form. */
  readonly submit: readonly [operationId: string, summary: string];
  readonly fields?: readonly Row[];
  readonly parameters?: readonly Schema[];
}

const pageOperations = (path: string, { show, submit, fields = [], parameters = [] }: Page): Operations => ({
  [`GET ${path}`]: operation({
    operationId: show[0],
    summary: show[1],
    description: 'A sign-in that has ended or is unknown is 400.',
    parameters,
    responses: { '200': page, '400': refused, '404': unknown, ...pageFaults },
  }),
  [`POST ${path}`]: operation({
    operationId: submit[0],
    summary: submit[1],
    description: 'The page sends the form itself, with its hidden fields. Wrong entries show the page again.',
    parameters,
    requestBody: form(object(fields)),
    responses: {
      '200': html('The page again, or the next one.'),
      '302': redirect('To the next step, and finally to redirect_uri with `code` and `state`.'),
      '303': redirect('As 302.'),
      '400': refused,
      '403': refusal('The form is not from this browser.'),
      '404': unknown,
      ...formFaults,
    },
  }),
});

const uid = [inPath('uid', 'The sign-in in progress.')];
const token = [inPath('token', 'The token from the mail.')];
const password = (name: string, description: string): Row => [
  name,
  { type: 'string', format: 'password' },
  description,
  true,
];
const login: Row = ['login', text, 'Username or e-mail address.', true];

const pages: Readonly<Record<string, Page>> = {
  '/login/{uid}': {
    show: ['showLogin', 'Show the login page'],
    submit: ['submitLogin', 'Submit the login form'],
    fields: [login, password('password', 'The password.')],
    parameters: uid,
  },
  '/login/{uid}/forgotten': {
    show: ['showForgottenPassword', 'Show the page for a forgotten password'],
    submit: ['submitForgottenPassword', 'Request a mail for a new password'],
    fields: [login],
    parameters: uid,
  },
  '/login/{uid}/device': {
    show: ['showDeviceLinkSent', 'Show the page for a browser with too many attempts'],
    submit: ['submitDeviceLink', 'Request a mail that admits this browser'],
    fields: [login],
    parameters: uid,
  },
  '/device/{token}': {
    show: ['showDeviceLink', 'Show the page that admits a browser'],
    submit: ['confirmDevice', 'Admit a browser'],
    parameters: token,
  },
  '/password/{token}': {
    show: ['showNewPassword', 'Show the page for a new password'],
    submit: ['submitNewPassword', 'Set a new password'],
    fields: [password('password', 'The new password.')],
    parameters: token,
  },
  '/account/password': {
    show: ['showPasswordChange', 'Show the page that changes the password'],
    submit: ['submitPasswordChange', 'Change the password'],
    fields: [password('current', 'The current password.'), password('password', 'The new password.')],
  },
  '/email/{token}': {
    show: ['showEmailConfirmation', 'Show the page that confirms an e-mail address'],
    submit: ['confirmEmail', 'Confirm an e-mail address'],
    parameters: token,
  },
  '/email/{token}/revert': {
    show: ['showEmailRevert', 'Show the page that reverts a change of the e-mail address'],
    submit: ['confirmEmailRevert', 'Revert a change of the e-mail address'],
    parameters: token,
  },
};

/** The pages by route. */
export const hostedPages: Operations = {
  'GET /authorize/{uid}': operation({
    operationId: 'resumeSignIn',
    summary: 'Resume the sign-in',
    description: 'The hosted pages send the browser here; apps never call it.',
    parameters: uid,
    responses: { ...authorizeResponses, '404': refusal('The sign-in does not exist.') },
  }),
  ...Object.assign({}, ...Object.entries(pages).map(([path, one]) => pageOperations(path, one))),
  'GET /session/end': operation({
    operationId: 'showSignOut',
    summary: 'Sign out in the browser',
    description: 'The page asks whether to sign out here or everywhere.',
    parameters: query([
      ['siteid', documented.siteid, 'The site whose name and color the page shows; the member’s by default.'],
      ['locale', documented.locale, 'language_COUNTRY of the page; the member’s by default.'],
    ]),
    responses: { '200': page, '303': redirect('Nobody is signed in.'), '400': refused, ...pageFaults },
  }),
  'POST /session/end': operation({
    operationId: 'startSignOut',
    summary: 'Sign out in the browser by a form',
    description: 'Leads to GET /session/end with the fields of the form (RP-initiated logout).',
    requestBody: { content: { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } } },
    responses: { '303': redirect('To the page.'), '400': pointAt('BadRequest'), ...formFaults },
  }),
  'POST /session/end/confirm': operation({
    operationId: 'submitSignOut',
    summary: 'Confirm the sign-out',
    description: 'The page sends the form itself.',
    requestBody: form(object([['logout', text, 'Here or everywhere.']])),
    responses: {
      '302': redirect('The member is signed out.'),
      '303': redirect('The member is signed out.'),
      '400': refused,
      ...formFaults,
    },
  }),
  'GET /session/end/success': operation({
    operationId: 'showSignedOut',
    summary: 'Show that the sign-out succeeded',
    description: 'The page at the end of a sign-out.',
    responses: { '200': page, '400': refused, ...pageFaults },
  }),
};
