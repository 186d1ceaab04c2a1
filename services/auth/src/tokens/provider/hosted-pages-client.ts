import type { ClientApplication } from '../../clients/client-store.ts';
import { hashSecret, newSecret } from '../../clients/secrets.ts';

/** Paths of the pages of a signed-in member's account. */
export const accountPaths = {
  start: '/account',
  password: '/account/password',
  passkeys: '/account/passkeys',
  twoStep: '/account/two-step',
  email: '/account/email',
  export: '/account/export',
  deletion: '/account/delete',
} as const;

/** Client id with which the hosted pages start a sign-in. Ids of client applications are UUIDs. */
export const hostedPagesClientId = 'hosted-pages';

/** The client of the hosted pages. Nobody has its secret: its sign-ins create a session, but no tokens. */
export const createHostedPagesClient = (issuer: string): ClientApplication => ({
  _id: hostedPagesClientId,
  name: 'Account',
  secret_hash: hashSecret(newSecret()),
  redirect_uris: Object.values(accountPaths).map((path) => issuer + path),
  staff: false,
  disabled: false,
  created_at: new Date(0),
});
