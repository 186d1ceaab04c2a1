import { hashSecret, newSecret } from '../../clients/secrets.ts';
import type { ClientApplication } from '../../clients/client-store.ts';

/** Path of the page on which a member who is signed in changes the password. */
export const changePasswordPath = '/account/password';

/** The id by which hosted pages lead to the sign-in; no client application has it, because theirs are UUIDs. */
export const ownClientId = 'hosted-pages';

/** The client of the hosted pages themselves. Nobody has its secret: a sign-in for it gives a session and no tokens. */
export const createOwnClient = (issuer: string): ClientApplication => ({
  _id: ownClientId,
  name: 'Account',
  secret_hash: hashSecret(newSecret()),
  redirect_uris: [issuer + changePasswordPath],
  staff: false,
  disabled: false,
  created_at: new Date(0),
});
