import { fields } from '@covalence/contract/catalogue/fields';
import { documented } from '@covalence/contract/parameters';
import { pointAt } from './failures.ts';
import {
  form,
  formFaults,
  html,
  inPath,
  object,
  type Operation,
  operation,
  type Operations,
  pageFaults,
  query,
  redirect,
  refusal,
  type Row,
  text,
  uri,
} from './parts.ts';
import { ref, type Schema } from './schema.ts';
import { authorizeResponses } from './sign-in.ts';

const page = html('The page.');
const signedOut = redirect('The member is signed out.');
const unknown = refusal('The page does not exist.');

/** A call of the browser that may send a form. */
interface Call extends Omit<Operation, 'tags' | 'security' | 'requestBody'> {
  readonly form?: readonly Row[];
}

const hosted = ({ form: rows, responses, ...call }: Call): Operation =>
  operation('Hosted pages', {
    ...call,
    ...(rows && { requestBody: form(object(rows)) }),
    responses: {
      '400': refusal('A page that says why the request is refused.'),
      ...(rows ? formFaults : pageFaults),
      ...responses,
    },
  });

type PageRow = readonly [
  path: string,
  show: readonly [operationId: string, summary: string],
  submit: readonly [operationId: string, summary: string],
  fieldsOfForm: readonly Row[],
  /** Schema of the response to a submitted form, in place of a page. */
  file?: Schema,
];

const secret = { type: 'string', format: 'password' };
const login: Row = ['login', text, 'Username or email address.', true];
const password: Row = ['password', secret, 'The password.', true];
const current: Row = [
  'current',
  secret,
  'The current password; after a sign-in with a passkey none is asked for.',
];
const others: Row = ['others', text, '`end` also removes passkeys and accounts at other providers.'];
const accountForm: readonly Row[] = [
  ['action', text, '`end`, `unlink`, `everywhere`, or `keep` to stop a recovery.', true],
  ['id', text, 'With `end`: the sign-in.'],
  ['provider', text, 'With `unlink`: the provider.'],
];
const passkeyForm: readonly Row[] = [
  ['action', text, '`add`, `rename` or `remove`.', true],
  ['id', text, 'The passkey that is renamed or removed.'],
  ['name', text, 'Its new name.'],
];
const twoStepAction: Row = ['action', text, '`on`, `codes` or `off`.', true];
const emailAction: Row = ['action', text, '`change`, or `keep` to withdraw a change.', true];
const code: Row = ['code', text, 'A code of the authenticator app, or a recovery code.'];
const newEmail: Row = ['email', text, 'The new address.'];
const confirmation: Row = ['confirm', text, '`yes`.', true];
const oneClick: Row = ['List-Unsubscribe', text, '`One-Click` of a mail program (RFC 8058).'];
const appeal: Row = ['text', text, 'Why the decision is wrong, in up to 4,000 characters.', true];
const newPassword: Row = ['password', secret, 'The new password.', true];

/** The file is what the call for apps answers. */
const exported: Schema = {
  description: 'The data of the member as a file, as GET /members/self/export answers it.',
  headers: { 'Content-Disposition': { schema: text } },
  content: { 'application/json': { schema: ref('MemberExport') } },
};

/** The page asks for what the site requires of a member. */
const registration: readonly Row[] = fields
  .filter(({ required }) => required)
  .map(({ name, kind, labels }) => [name, kind === 'password' ? secret : text, `${labels.en_US}.`, true]);

/** The pages with a form, which is sent to the address of the page. */
// oxfmt-ignore
const pages: readonly PageRow[] = [
  ['/login/{uid}', ['showLogin', 'Show the login page'], ['submitLogin', 'Submit the login form'], [login, password]],
  ['/login/{uid}/register', ['showRegistration', 'Show the registration page'], ['submitRegistration', 'Submit the registration form'], registration],
  ['/login/{uid}/forgotten', ['showForgottenPassword', 'Show the page for a forgotten password'], ['submitForgottenPassword', 'Request a mail for a new password'], [login]],
  ['/login/{uid}/factor', ['showSecondFactor', 'Return to the login page from the second factor'], ['submitSecondFactor', 'Prove the second factor, or add one'], [code]],
  ['/login/{uid}/password', ['showOwnPassword', 'Return to the login page from the replacement of a password'], ['submitOwnPassword', 'Replace the password that a staff account was given'], [newPassword]],
  ['/login/{uid}/passkey', ['showPasskeyOffer', 'Return to the login page'], ['submitPasskeyOffer', 'Add the offered passkey'], []],
  ['/login/{uid}/recovery', ['showRecoveryNotice', 'Return to the login page from a notice'], ['submitRecoveryNotice', 'Stop a recovery after a sign-in with a passkey'], []],
  ['/login/{uid}/device', ['showDeviceLinkSent', 'Show the page for a browser with too many attempts'], ['submitDeviceLink', 'Request a mail that admits this browser'], [login]],
  ['/device/{token}', ['showDeviceLink', 'Show the page that admits a browser'], ['confirmDevice', 'Admit a browser'], []],
  ['/password/{token}', ['showNewPassword', 'Show the page for a new password'], ['submitNewPassword', 'Set a new password'], [newPassword]],
  ['/password/{token}/cancel', ['showRecoveryCancel', 'Show the page that cancels a recovery'], ['confirmRecoveryCancel', 'Cancel a recovery'], []],
  ['/account', ['showAccount', 'Show the page of the account'], ['submitAccount', 'End a sign-in or a link with a provider'], accountForm],
  ['/account/password', ['showPasswordChange', 'Show the page that changes the password'], ['submitPasswordChange', 'Change the password'], [current, newPassword, others]],
  ['/account/passkeys', ['showPasskeys', 'Show the page with the passkeys'], ['submitPasskeys', 'Add, rename or remove a passkey'], passkeyForm],
  ['/account/two-step', ['showTwoStep', 'Show the page of two-step sign-in'], ['submitTwoStep', 'Turn two-step sign-in on or off, or make new recovery codes'], [twoStepAction, code]],
  ['/account/email', ['showEmailChange', 'Show the page that changes the email address'], ['submitEmailChange', 'Ask for a change of the email address'], [emailAction, newEmail]],
  ['/account/export', ['showExport', 'Show the page that offers the data of the member'], ['submitExport', 'Download the data of the member'], [], exported],
  ['/account/delete', ['showDeletion', 'Show the page that deletes the account'], ['submitDeletion', 'Delete the account'], [confirmation]],
  ['/passkey/{token}', ['showPasskeyUndo', 'Show the page that removes a new passkey'], ['confirmPasskeyUndo', 'Remove a new passkey'], []],
  ['/two-step/{token}', ['showTwoStepUndo', 'Show the page that removes a new authenticator app'], ['confirmTwoStepUndo', 'Remove a new authenticator app'], []],
  ['/email/{token}', ['showEmailConfirmation', 'Show the page that confirms an email address'], ['confirmEmail', 'Confirm an email address'], []],
  ['/email/{token}/revert', ['showEmailRevert', 'Show the page that reverts a change of the email address'], ['confirmEmailRevert', 'Revert a change of the email address'], []],
  ['/appeal/{token}', ['showAppeal', 'Show the page that appeals a decision'], ['submitAppeal', 'Submit the form of an appeal'], [appeal]],
  ['/digest/{token}', ['showDigestStop', 'Show the page that turns the digest off'], ['confirmDigestStop', 'Turn the digest off'], [oneClick]],
];

/** Parameters for the appearance of a page that a member opens. */
const look: readonly Row[] = [
  ['siteid', documented.siteid, 'The site whose name and color the page shows; the member’s by default.'],
  ['locale', documented.locale, 'language_COUNTRY of the page; the member’s by default.'],
  ['ui_locales', text, 'Languages of the page in order of preference, separated by spaces.'],
];

/** A page of the account. */
const ofAccount = {
  description: 'Without a recent sign-in in this browser it leads to the sign-in, and from there back.',
  parameters: query(look),
  responses: { '303': redirect('To the sign-in.') },
  next: 'To the page with the result, or to the sign-in.',
};

/** A page that a mailed link opens. */
const ofLink = {
  description: 'Returns 400 if the link is invalid, has expired or was used.',
  parameters: [inPath('token', 'The token from the mail.')],
  responses: {
    '403': refusal('The link belongs to another browser, or does not work yet.'),
    '404': unknown,
  },
  next: 'To the page where the member continues.',
};

/** A page of a sign-in. */
const ofSignIn = {
  description: 'Returns 400 if the sign-in has ended or is unknown.',
  parameters: [inPath('uid', 'The sign-in in progress.')],
  responses: { '303': redirect('To another page of the sign-in.'), '404': unknown },
  next: 'To the next page of the sign-in, or to GET /authorize/{uid}, which returns to the app.',
};

function pageOperations([path, show, submit, rows, file]: PageRow): Operations {
  const isOfAccount = path.startsWith('/account');
  const { next, ...opened } = isOfAccount ? ofAccount : path.includes('{token}') ? ofLink : ofSignIn;
  return {
    [`GET ${path}`]: hosted({
      operationId: show[0],
      summary: show[1],
      ...opened,
      responses: { '200': page, ...opened.responses },
    }),
    [`POST ${path}`]: hosted({
      operationId: submit[0],
      summary: submit[1],
      description:
        'The page sends the form itself, with its hidden fields. Wrong entries show the page again.',
      parameters: isOfAccount ? [] : opened.parameters,
      form: rows,
      responses: {
        '200': file ?? html('The page again, or the next one.'),
        '303': redirect(next),
        '403': refusal('The form is not from this browser.'),
        '404': unknown,
      },
    }),
  };
}

const answerRows: readonly Row[] = [
  ['state', text, 'The visit at the provider.', true],
  ['code', text, 'The code of the provider.'],
  ['error', text, 'Why there is no code.'],
];

const providerAnswer = {
  description: 'Providers such as Apple and Google send the browser here; apps never call it.',
  responses: { '303': redirect('To the sign-in in progress.') },
};

/** The pages that auth shows in the browser, by route. */
export const hostedPages: Operations = {
  'GET /authorize/{uid}': hosted({
    operationId: 'resumeSignIn',
    summary: 'Resume the sign-in',
    description: 'The hosted pages send the browser here; apps never call it.',
    parameters: ofSignIn.parameters,
    responses: { ...authorizeResponses, '404': refusal('The sign-in does not exist.') },
  }),
  ...Object.fromEntries(pages.flatMap((one) => Object.entries(pageOperations(one)))),
  'GET /identity/callback': hosted({
    operationId: 'returnFromProvider',
    summary: 'Return from a provider',
    ...providerAnswer,
    parameters: query(answerRows),
  }),
  'POST /identity/callback': hosted({
    operationId: 'submitProviderAnswer',
    summary: 'Return from a provider by a form',
    ...providerAnswer,
    form: answerRows,
  }),
  'GET /session/end': hosted({
    operationId: 'showSignOut',
    summary: 'Sign out in the browser',
    description: 'The page asks whether to sign out here or everywhere.',
    parameters: query([
      ...look,
      ['client_id', text, 'The id of your app, with post_logout_redirect_uri.'],
      ['post_logout_redirect_uri', uri, 'Where the browser returns to; one of those registered for it.'],
      ['state', text, 'Comes back unchanged.'],
    ]),
    responses: { '200': page, '303': redirect('Nobody is signed in.') },
  }),
  'POST /session/end': operation('Hosted pages', {
    operationId: 'startSignOut',
    summary: 'Sign out in the browser by a form',
    description: 'Leads to GET /session/end with the fields of the form (RP-initiated logout).',
    requestBody: { content: { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } } },
    responses: { '303': redirect('To the page.'), '400': pointAt('BadRequest'), ...formFaults },
  }),
  'POST /session/end/confirm': hosted({
    operationId: 'submitSignOut',
    summary: 'Confirm the sign-out',
    description: 'The page sends the form itself.',
    form: [['logout', text, 'Here or everywhere.']],
    responses: { '302': signedOut, '303': signedOut },
  }),
  'GET /session/end/success': hosted({
    operationId: 'showSignedOut',
    summary: 'Show that the sign-out succeeded',
    description: 'The page at the end of a sign-out.',
    responses: { '200': page },
  }),
};
