import { importSPKI, jwtVerify } from 'jose';
import { generateKeyPairSync } from 'node:crypto';
import type { Response } from 'supertest';
import type { Identity } from '../../src/accounts/account.ts';
import { identityId } from '../../src/accounts/identities/identity-store.ts';
import type { ServiceUnderTest } from '../harness.ts';
import type { Browser } from './browser.ts';
import { destination, unescapeHtml } from './browser.ts';
import { passThrough, startOpenidProvider, type OpenidProvider, type Person } from './openid-provider.ts';
import type { TestMember } from './people.ts';

/** Two providers, configured as Google and Apple are. */
export interface TestProviders {
  readonly google: OpenidProvider;
  /** Answers by form_post, wants a signed client secret, and gives refresh tokens. */
  readonly apple: OpenidProvider;
  /** The settings of a service that offers both; Apple at site 1 only. */
  readonly settings: Readonly<Record<string, string>>;
  close(): void;
}

const redirect_uri = 'http://auth.test/identity/callback';

/** The audience of tokens from the dialog of a phone. */
export const nativeClientId = 'com.example.app';

/** Starts both providers. */
export async function startProviders(): Promise<TestProviders> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const client_secret = 'the secret at google';
  const google = await startOpenidProvider({ client_secret, redirect_uri });
  const apple: OpenidProvider = await startOpenidProvider({
    client_secret: 'unused',
    redirect_uri,
    nativeClientId,
    async checkSecret(secret, audience) {
      const key = await importSPKI(publicKey.export({ type: 'spki', format: 'pem' }).toString(), 'ES256');
      const { payload, protectedHeader } = await jwtVerify(secret, key, { audience, issuer: 'TEAM' });
      const isOurs = payload.sub === apple.clientId || payload.sub === nativeClientId;
      return isOurs && protectedHeader.kid === 'KEY';
    },
  });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const settings = [
    {
      id: 'google',
      name: 'Google',
      issuer: google.issuer,
      client_id: google.clientId,
      client_secret,
      native_client_ids: [nativeClientId],
    },
    {
      id: 'apple',
      name: 'Apple',
      issuer: apple.issuer,
      client_id: apple.clientId,
      client_key: { team_id: 'TEAM', key_id: 'KEY', key },
      response_mode: 'form_post',
      native_client_ids: [nativeClientId],
      mail_domains: ['privaterelay.appleid.com'],
      sites: [1],
    },
  ];
  return {
    google,
    apple,
    settings: { IDENTITY_PROVIDERS: JSON.stringify(settings) },
    close() {
      google.close();
      apple.close();
    },
  };
}

let people = 0;

/** Signs somebody new in at a provider. */
export function newPerson(provider: OpenidProvider, claims: Partial<Person> = {}): Person {
  people += 1;
  const email = `person${people}@provider.example`;
  const person = { sub: `person-${people}`, email, email_verified: true, ...claims };
  provider.person = person;
  return person;
}

/** The accounts at providers that sign a member in. */
export async function linksOf({ context }: ServiceUnderTest, memberId: string): Promise<readonly Identity[]> {
  return (await context.accounts.find(memberId))?.identities ?? [];
}

/** Stores that an account at a provider signs a member in. */
export async function storeLink(
  { context }: ServiceUnderTest,
  { member_id, siteid, email }: TestMember,
  subject: string,
  provider = 'google',
): Promise<void> {
  const at = new Date();
  const account = await context.accounts.find(member_id);
  const id = identityId(provider, siteid, subject);
  const identity = { id, provider, email, linked_at: at, last_used_at: at };
  if (!account || !(await context.accounts.identities.add(account, identity, [])))
    throw new Error('not linked');
}

/** Removes an account at a provider from a member. */
export async function removeLink(auth: ServiceUnderTest, memberId: string, provider: string): Promise<void> {
  const linked = (await linksOf(auth, memberId)).find((one) => one.provider === provider);
  const way = { list: 'identities', id: linked?.id ?? '' } as const;
  if (!(await auth.context.accounts.signInMethods.remove(memberId, way, { at: new Date() })))
    throw new Error('no such link');
}

/** Leaves a member without a password, as one who has only ever signed in at a provider. */
export async function removePassword(
  { context }: ServiceUnderTest,
  { member_id }: TestMember,
): Promise<void> {
  await context.connection
    .collection<{ _id: string }>('accounts')
    .updateOne({ _id: member_id }, { $unset: { password_hash: 1 } });
}

/** The path of the button that leads from a page to a provider. */
export function pathToProvider(provider: string, page: Response): string {
  const [, path] = new RegExp(`href="([^"]*/identity/${provider}[^"]*)"`).exec(page.text) ?? [];
  if (path === undefined) throw new Error(`no button for ${provider}: ${page.text.slice(0, 500)}`);
  return unescapeHtml(path);
}

/** Goes from a page to a provider and back, as a browser does. */
export async function continueWith(provider: string, browser: Browser, page: Response): Promise<Response> {
  const { url, form } = await passThrough(
    destination(await browser.open(pathToProvider(provider, page))).href,
  );
  return form ? browser.post(url.pathname, form) : browser.open(url.pathname + url.search);
}
