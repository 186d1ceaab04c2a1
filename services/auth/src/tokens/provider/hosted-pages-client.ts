import type { ClientApplication } from '../../clients/client-store.ts';
import { hashSecret, newSecret } from '../../clients/secrets.ts';

/** Path of the page of a signed-in member's account. */
export const accountPath = '/account';

/** Path of the page that changes the password of a signed-in member. */
export const changePasswordPath = '/account/password';

/** Path of the page with the passkeys of a signed-in member. */
export const passkeysPath = '/account/passkeys';

/** Path of the page that turns two-step sign-in on and off. */
export const twoStepPath = '/account/two-step';

/** Paths of the pages that change the email address, hand out the data and delete the account of a signed-in member. */
export const changeEmailPath = '/account/email';
export const exportPath = '/account/export';
export const deletePath = '/account/delete';

const signedInPaths = [
  accountPath,
  changePasswordPath,
  passkeysPath,
  twoStepPath,
  changeEmailPath,
  exportPath,
  deletePath,
];

/** Client id with which the hosted pages start a sign-in. Ids of client applications are UUIDs. */
export const hostedPagesClientId = 'hosted-pages';

/** The client of the hosted pages. Nobody has its secret: its sign-ins create a session, but no tokens. */
export const createHostedPagesClient = (issuer: string): ClientApplication => ({
  _id: hostedPagesClientId,
  name: 'Account',
  secret_hash: hashSecret(newSecret()),
  redirect_uris: signedInPaths.map((path) => issuer + path),
  staff: false,
  disabled: false,
  created_at: new Date(0),
});
