import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findTraces } from '@covalence/testing/find-traces';
import { until } from '@covalence/testing/until';
import { v7 } from 'uuid';
import type { Account } from '../../../src/accounts/account.ts';
import { resetPath } from '../../../src/sign-in/password/reset-link.ts';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { destination, formOf } from '../../support/browser.ts';

const codeOf = (end: URL) => end.searchParams.get('code') ?? '';

/** Sign-in times are whole seconds. */
const nextSecond = async () => {
  const second = Math.floor(Date.now() / 1000);
  await until('the next second', () => Math.floor(Date.now() / 1000) > second);
};

describe('ending every session of a member', () => {
  let auth: ServiceUnderTest;
  beforeAll(async () => {
    auth = await startService('endsessions');
  });
  afterAll(() => auth.close());

  const exchange = (code: string) => auth.token({ ...auth.client, grant_type: 'authorization_code', code });
  const refresh = (refresh_token: string) =>
    auth.token({ ...auth.client, grant_type: 'refresh_token', refresh_token });
  const end = (member_id: string) => auth.internal('/internal/sessions/end', { member_id });

  it('ends every family, unused code and browser session of the member, and of nobody else', async () => {
    const [member, other] = [await auth.addMember(), await auth.addMember()];
    const [browser, second, theirs] = [auth.browser(), auth.browser(), auth.browser()];
    const first = await exchange(codeOf(await browser.signIn(auth.client, member))).expect(200);
    const another = await exchange(codeOf(await second.signIn(auth.client, member))).expect(200);
    const others = await exchange(codeOf(await theirs.signIn(auth.client, other))).expect(200);
    const unused = codeOf(destination(await browser.begin(auth.client)));
    expect(unused).not.toBe('');
    await nextSecond();

    await end(member.member_id).expect(200, {});
    await end(member.member_id).expect(200, {});
    await refresh(first.body.refresh_token).expect(400);
    await refresh(another.body.refresh_token).expect(400);
    await exchange(unused).expect(400);
    expect(formOf(await browser.begin(auth.client)).fields).toHaveProperty('password');
    await refresh(others.body.refresh_token).expect(200);
    expect(codeOf(destination(await theirs.begin(auth.client)))).not.toBe('');
  });

  it('lets the member sign in again', async () => {
    const member = await auth.addMember();
    await end(member.member_id).expect(200, {});
    await nextSecond();
    const browser = auth.browser();
    const pair = await exchange(codeOf(await browser.signIn(auth.client, member))).expect(200);
    await refresh(pair.body.refresh_token).expect(200);
    expect(codeOf(destination(await browser.begin(auth.client)))).not.toBe('');
  });

  it('accepts a member without an account', async () => {
    const { status, body } = await end(v7());
    expect({ status, body }).toEqual({ status: 200, body: {} });
  });

  it('exports sign-ins and sessions without secrets; an erasure removes all and releases the names', async () => {
    const [member, other] = [await auth.addMember(), await auth.addMember()];
    const [browser, theirs] = [auth.browser(), auth.browser()];
    await exchange(codeOf(await browser.signIn(auth.client, member))).expect(200);
    const others = await exchange(codeOf(await theirs.signIn(auth.client, other))).expect(200);
    const unused = codeOf(destination(await browser.begin(auth.client)));
    await auth
      .internal('/internal/accounts/claim-username', { ...member, username: 'AnotherName' })
      .expect(200);
    await resetPath((await auth.context.accounts.find(member.member_id)) as Account, 'en_US', auth.context);
    for (const kind of ['account', 'addedWayIn'] as const)
      await auth.context.accounts.attempts.fail(kind, member.member_id);
    const subject = { member_id: member.member_id, id: member.id };
    const { body, text } = await auth.internal('/internal/members/export', subject).expect(200);
    expect(body).toMatchObject({
      account: {
        username: member.username,
        pending_username: 'AnotherName',
        email: member.email,
        has_password: true,
      },
      // The code that nobody has exchanged is none.
      sign_ins: [{ client_id: auth.client.client_id, client_name: 'Test app' }],
      browser_sessions: [{ since: expect.any(String) }],
    });
    expect(text).not.toMatch(/argon2|password_hash|signature|payload/);

    for (let time = 0; time < 2; time += 1) {
      await auth.internal('/internal/members/erase', subject).expect(200, {});
    }
    const of = [member.member_id, member.username, member.email, 'AnotherName'];
    await expect(findTraces({ namespace: auth.context.config.NAMESPACE, of })).resolves.toEqual([]);
    await exchange(unused).expect(400);
    await auth.addMember({ username: member.username, email: member.email });
    await refresh(others.body.refresh_token).expect(200);
  });
});
