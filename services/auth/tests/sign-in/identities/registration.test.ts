import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { Response } from 'supertest';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { destination, formOf, unescapeHtml, type Browser } from '../../support/browser.ts';
import {
  continueWith,
  linksOf,
  newPerson,
  startProviders,
  type TestProviders,
} from '../../support/providers.ts';

let people = 0;
const entries = () => {
  people += 1;
  return {
    gender: 'Female',
    gender_preference: 'Male',
    date_of_birth: '1990-05-17',
    username: `newcomer${people}`,
    password: 'quiet-meadow-77',
    zip: '78701',
    country: 'US',
    headline: 'Lakes',
  };
};

const relay = () => `${people}-relay@privaterelay.appleid.com`;

describe('a first sign-in with an account at a provider', () => {
  let auth: ServiceUnderTest;
  let providers: TestProviders;
  beforeAll(async () => {
    providers = await startProviders();
    auth = await startService('identityregistration', { environment: providers.settings });
  });
  afterAll(async () => {
    await auth.close();
    providers.close();
  });

  const begin = (browser: Browser) => browser.begin(auth.client, { siteid: '1' });
  /** Goes to Apple and back, and on to the page that registers. */
  const comeToRegister = async (browser: Browser): Promise<Response> => {
    const page = await continueWith('apple', browser, await begin(browser));
    const [, path = ''] = /href="([^"]*\/register[^"]*)"/.exec(page.text) ?? [];
    return browser.open(unescapeHtml(path));
  };
  /** The member that an answer signs in. */
  const memberOf = async (answer: Response) => {
    const code = destination(answer).searchParams.get('code') ?? '';
    const { body } = await auth.token({ ...auth.client, grant_type: 'authorization_code', code }).expect(200);
    return String(decodeJwt(body.access_token as string).sub);
  };

  it('leads to the registration, which links the account: it signs in by itself from then on', async () => {
    const { email } = newPerson(providers.apple);
    const browser = auth.browser();
    const page = await comeToRegister(browser);
    expect(formOf(page).fields['email']).toBe(email);
    const member = await memberOf(await browser.submit(page, entries()));
    const other = auth.browser();
    expect(await memberOf(await continueWith('apple', other, await begin(other)))).toBe(member);
    expect(await linksOf(auth, member)).toMatchObject([{ provider: 'apple', email }]);
  });

  it('is linked also when the form took as long as the sign-in may', async () => {
    newPerson(providers.apple);
    const browser = auth.browser();
    const page = await comeToRegister(browser);
    await auth.later(29 * 60_000, async () => {
      const member = await memberOf(await browser.submit(page, entries()));
      expect(await linksOf(auth, member)).toHaveLength(1);
    });
  });

  it('is not taken over by the registration of another browser', async () => {
    newPerson(providers.apple);
    const { proof = '' } = formOf(await comeToRegister(auth.browser())).fields;
    const other = auth.browser();
    const page = await other.begin(auth.client, { siteid: '1', prompt: 'create' });
    const fields = { ...entries(), email: `other${people}@mail.example` };
    const { action, fields: given } = formOf(page);
    const member = await memberOf(await other.post(action, { ...given, ...fields, proof }));
    expect(await linksOf(auth, member)).toEqual([]);
  });

  it.each<[string, boolean, { email?: string; email_verified?: boolean | 'true' }, { email?: string }]>([
    ['is that of a mailbox of the provider', true, { email_verified: 'true' }, {}],
    ['is another than the provider named', false, {}, { email: 'another@privaterelay.appleid.com' }],
    ['is not verified by the provider', false, { email_verified: false }, {}],
    [
      'is that of a mailbox of somebody else',
      false,
      { email: 'person@privaterelay.appleid.com.example' },
      {},
    ],
    [
      'ends like that of a mailbox of the provider',
      false,
      { email: 'person@notprivaterelay.appleid.com' },
      {},
    ],
  ])(
    'when the address %s: counts as confirmed without a mail: %s',
    async (_what, isProven, claims, entered) => {
      newPerson(providers.apple, { email: relay(), ...claims });
      const browser = auth.browser();
      const page = await comeToRegister(browser);
      const member = await memberOf(await browser.submit(page, { ...entries(), ...entered }));
      const account = await auth.context.accounts.find(member);
      expect(account?.email_confirmed_at !== undefined).toBe(isProven);
      await auth.context.afterResponse.drained();
      const subjects = (await auth.mailbox.to(account?.email ?? '')).map(({ subject }) => subject);
      expect(subjects.includes('Please confirm your email')).toBe(!isProven);
    },
  );
});
