import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import type { OpenidProvider } from '../../support/openid-provider.ts';
import type { TestMember } from '../../support/people.ts';
import {
  linksOf,
  newPerson,
  startProviders,
  storeLink,
  type TestProviders,
} from '../../support/providers.ts';

const minute = 60_000;

describe('a notice of a provider', () => {
  let auth: ServiceUnderTest;
  let providers: TestProviders;
  let apple: OpenidProvider;
  beforeAll(async () => {
    providers = await startProviders();
    ({ apple } = providers);
    auth = await startService('notices', { environment: providers.settings });
  });
  afterAll(async () => {
    await auth.close();
    providers.close();
  });

  const linkedMember = async (overrides: Partial<TestMember> = {}) => {
    const member = await auth.addMember(overrides);
    const { sub } = newPerson(apple);
    await storeLink(auth, member, sub, 'apple');
    return { ...member, sub };
  };
  const links = (memberId: string) => linksOf(auth, memberId);
  const notice = async (event: object, provider: 'apple' | 'google' = 'apple') => {
    const payload = await providers[provider].sign({ events: JSON.stringify(event) });
    return request(auth.server).post(`/identity/notices/${provider}`).send({ payload });
  };
  const isConfirmed = async (member_id: string) => {
    const { body } = await auth.internal('/internal/accounts/emails', { member_id });
    return (body as { confirmed: boolean }).confirmed;
  };

  it('confirms an address only where the provider runs the mailbox, in any spelling', async () => {
    const email = `Relay-${Date.now()}@privaterelay.appleid.com`;
    const { sub, member_id } = await linkedMember({ email });
    const spelled = email.toLowerCase();
    expect((await notice({ type: 'email-enabled', sub, email: spelled })).status).toBe(200);
    expect(await isConfirmed(member_id)).toBe(true);
    // An address that is not the member's own stays as it is.
    await notice({ type: 'email-disabled', sub, email: `other-${spelled}` });
    expect(await isConfirmed(member_id)).toBe(true);
    await notice({ type: 'email-disabled', sub, email: spelled });
    expect(await isConfirmed(member_id)).toBe(false);

    const member = await auth.addMember();
    const { sub: google } = newPerson(providers.google);
    await storeLink(auth, member, google);
    const event = { type: 'email-enabled', sub: google, email: member.email };
    expect((await notice(event, 'google')).status).toBe(200);
    expect(await isConfirmed(member.member_id)).toBe(false);
  });

  it('that arrives after the member has linked or confirmed anew undoes neither', async () => {
    const email = `late-${Date.now()}@privaterelay.appleid.com`;
    const { sub, member_id } = await linkedMember({ email });
    await auth.context.accounts.emails.confirm(member_id, email, new Date());
    const earlier = Date.now() - 5 * minute;
    for (const event_time of [earlier, Math.floor(earlier / 1000)]) {
      expect((await notice({ type: 'consent-revoked', sub, event_time })).status).toBe(200);
      expect((await notice({ type: 'email-disabled', sub, email, event_time })).status).toBe(200);
    }
    expect(await links(member_id)).toHaveLength(1);
    expect(await isConfirmed(member_id)).toBe(true);
    expect((await notice({ type: 'consent-revoked', sub, event_time: Date.now() })).status).toBe(200);
    expect(await links(member_id)).toEqual([]);
  });
});
