import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { alertsDuring } from '../../support/alerts.ts';
import { formOf, type Browser } from '../../support/browser.ts';
import { addPasskey, enterPasskey } from '../../support/passkeys.ts';
import type { TestMember } from '../../support/people.ts';
import { nextOf } from '../../support/second-factor.ts';
import {
  continueWith,
  linksOf,
  newPerson,
  startProviders,
  storeLink,
  type TestProviders,
} from '../../support/providers.ts';

const hour = 3_600_000;
const password = 'quiet-meadow-77';
const [linkSubject, noticeSubject] = [
  'Get back into your account',
  'Somebody wants to get into your account',
];

/** Presses the button that stops a recovery. */
const keep = async (own: Browser) => {
  const { csrf = '' } = formOf(await own.open('/account')).fields;
  return own.post('/account', { csrf, action: 'keep' });
};

describe('a forgotten password of a member with passkeys', () => {
  let auth: ServiceUnderTest;
  let providers: TestProviders;
  beforeAll(async () => {
    providers = await startProviders();
    auth = await startService('recovery', { environment: providers.settings });
  });
  afterAll(async () => {
    await auth.close();
    providers.close();
  });

  const withPasskey = async (at = auth) => {
    const member = await at.addMember();
    const earlier = at.browser();
    const { passkey } = await at.later(-8 * 24 * hour, async () => {
      await earlier.signIn(at.client, member);
      return addPasskey(earlier, await earlier.open('/account/passkeys'));
    });
    const browser = at.browser();
    await browser.signIn(at.client, member);
    return { member, browser, passkey };
  };
  const forget = async ({ username }: TestMember, at = auth) => {
    const browser = at.browser();
    const { action } = formOf(await browser.begin(at.client));
    await browser.submit(await browser.open(`${action}/forgotten`), { login: username });
    await at.context.afterResponse.drained();
  };
  const choose = (path: string) => auth.browser().post(path, { password });
  const accountOf = ({ member_id }: TestMember) => auth.context.accounts.find(member_id);

  it('opens the account after a delay only, and is told at once by mail, at open sockets and on devices', async () => {
    const { mailbox } = auth;
    const { member, passkey } = await withPasskey();
    const told = await alertsDuring(auth, member, () => forget(member));
    const notice = await mailbox.wait(member.email, noticeSubject);
    expect(notice.path).toMatch(/^\/password\/.+\/cancel$/);
    expect(told).toEqual([expect.stringMatching(/^recovery /)]);
    const from = new Date(told[0]?.slice('recovery '.length) ?? '');
    expect(from.getTime()).toBeGreaterThan(Date.now() + 23 * hour);

    const { path } = await mailbox.wait(member.email, linkSubject);
    for (const page of [await auth.browser().open(path), await choose(path)])
      expect([page.status, page.text]).toEqual([403, expect.stringContaining('This link works later')]);
    expect((await accountOf(member))?.passkeys).toHaveLength(1);
    // The passkey still signs in, and ends nothing.
    const other = auth.browser();
    const end = await enterPasskey(other, await other.begin(auth.client, { siteid: '1' }), passkey);
    expect((await other.open(nextOf(end))).get('Location')).toContain('code=');

    await auth.later(24 * hour + 1_000, async () => {
      expect((await auth.browser().open(path)).text).toContain('New password');
      expect((await choose(path)).text).toContain('Your password was changed');
    });
    const after = await accountOf(member);
    expect([after?.passkeys, after?.recovery]).toEqual([undefined, undefined]);
  });

  it('is not delayed or hastened by a second request, and ends unused after a day', async () => {
    const { member } = await withPasskey();
    await forget(member);
    const first = (await accountOf(member))?.recovery;
    await auth.later(hour, () => forget(member));
    expect((await accountOf(member))?.recovery).toEqual(first);
    expect(
      (await auth.mailbox.to(member.email)).filter(({ subject }) => subject === noticeSubject),
    ).toHaveLength(1);
    const links = (await auth.mailbox.to(member.email)).filter(({ subject }) => subject === linkSubject);
    expect(links).toHaveLength(2);
    await auth.later(23 * hour, async () => {
      for (const { path } of links) expect((await choose(path)).status).toBe(403);
    });
    await auth.later(48 * hour + 1_000, async () => {
      for (const { path } of links) expect((await choose(path)).status).toBe(400);
    });
  });

  it('is canceled by the link of the notice, which changes nothing by itself', async () => {
    const { member } = await withPasskey();
    await forget(member);
    const { path } = await auth.mailbox.wait(member.email, linkSubject);
    const cancel = (await auth.mailbox.wait(member.email, noticeSubject)).path;
    const browser = auth.browser();
    const asked = await browser.open(cancel);
    expect((await accountOf(member))?.recovery).toBeDefined();
    for (const _again of [1, 2])
      expect((await browser.submit(asked, {})).text).toContain('The recovery is stopped');
    await auth.later(25 * hour, async () => {
      expect((await choose(path)).status).toBe(400);
    });
    // The link of one recovery does not cancel the next one.
    await forget(member);
    expect((await browser.submit(asked, {})).status).toBe(400);
    expect((await accountOf(member))?.recovery).toBeDefined();
    expect((await browser.post('/password/forged/cancel', {})).status).toBe(400);
  });

  it('sets no password if it is canceled while that one is hashed', async () => {
    const { member } = await withPasskey();
    await forget(member);
    const { path } = await auth.mailbox.wait(member.email, linkSubject);
    const { passwords } = auth.context.accounts;
    const original = { ...passwords };
    passwords.hash = async (text) => {
      Object.assign(passwords, original);
      const { recovery } = (await accountOf(member)) ?? {};
      await auth.context.accounts.cancelRecovery(member.member_id, recovery?.id ?? '', [], new Date());
      return passwords.hash(text);
    };
    await auth.later(25 * hour, async () => {
      expect((await choose(path)).status).toBe(400);
      const old = await auth.browser().signIn(auth.client, member);
      expect(old.searchParams.get('code')).toBeTruthy();
    });
    expect((await accountOf(member))?.passkeys).toHaveLength(1);
  });

  it('is stopped on the page of the account after a sign-in with a passkey, but not with the password alone', async () => {
    const { member, browser, passkey } = await withPasskey();
    await forget(member);
    const page = await keep(browser);
    expect(page.text).toContain('To stop it, sign in with a passkey');
    // Nor does another password use up the mailed link.
    const changed = { current: member.password, password: 'another-meadow-78' };
    await browser.submit(await browser.open('/account/password'), changed);
    expect((await accountOf(member))?.recovery).toBeDefined();
    const { path } = await auth.mailbox.wait(member.email, linkSubject);
    expect((await auth.browser().open(path)).text).toContain('This link works later');
    // A session has whole seconds: it begins after the sign-out.
    await auth.later(1_000, async () => {
      const owner = auth.browser();
      const end = await enterPasskey(owner, await owner.begin(auth.client, { siteid: '1' }), passkey);
      await owner.open(nextOf(end));
      expect((await keep(owner)).text).not.toContain('Somebody asked to get into your account by email');
    });
    expect((await accountOf(member))?.recovery).toBeUndefined();
    const { text } = await auth.mailbox.wait(member.email, 'The recovery of your account was stopped');
    expect(text).toContain('contact customer service');
  });

  it('is shown at once after a sign-in with a passkey, which goes on either way', async () => {
    const { member, passkey } = await withPasskey();
    const enter = async () => {
      const own = auth.browser();
      return { own, page: await enterPasskey(own, await own.begin(auth.client, { siteid: '1' }), passkey) };
    };
    expect((await enter()).page.get('Location')).toContain('code=');
    await forget(member);
    const mine = await enter();
    expect(mine.page.text).toContain('Somebody asked to get into your account by email');
    expect((await mine.own.open(nextOf(mine.page))).get('Location')).toContain('code=');
    expect((await accountOf(member))?.recovery).toBeDefined();
    const { own, page } = await enter();
    expect((await auth.browser().submit(page, {})).status).toBe(400);
    expect((await own.submit(page, {})).get('Location')).toContain('code=');
    expect((await accountOf(member))?.recovery).toBeUndefined();
  });

  it('stays delayed after somebody has removed the passkeys, of which the member is told', async () => {
    const { member, browser } = await withPasskey();
    await browser.submit(await browser.open('/account/passkeys'), { action: 'remove' });
    expect((await accountOf(member))?.passkeys).toBeUndefined();
    const { text } = await auth.mailbox.wait(member.email, 'A way to sign in was removed');
    expect(text).toContain('“Passkey”');
    await forget(member);
    await auth.mailbox.wait(member.email, noticeSubject);
    await auth.later(25 * hour, async () => {
      await auth.context.accounts.cancelRecovery(
        member.member_id,
        (await accountOf(member))?.recovery?.id ?? '',
        [],
        new Date(),
      );
      await forget(member);
      await auth.mailbox.wait(member.email, 'Choose a new password');
    });
  });

  it('cannot be sidestepped by a mailed link that links an account at a provider', async () => {
    const subjectsAfter = async (member: TestMember) => {
      newPerson(providers.google);
      const browser = auth.browser();
      const page = await continueWith('google', browser, await browser.begin(auth.client, { siteid: '1' }));
      const { action, fields } = formOf(page);
      const asked = await browser.post(`${action}/identity/mail`, { ...fields, login: member.email });
      expect(asked.text).toContain('Check your email');
      await auth.context.afterResponse.drained();
      return (await auth.mailbox.to(member.email)).map(({ subject }) => subject);
    };
    expect(await subjectsAfter((await withPasskey()).member)).not.toContain('Link your account');
    expect(await subjectsAfter(await auth.addMember())).toContain('Link your account');
  });

  it('cannot be sidestepped by the link that undoes a change of email: only the settled passkey stays', async () => {
    const { member, browser, passkey } = await withPasskey();
    await storeLink(auth, member, newPerson(providers.google).sub);
    await addPasskey(browser, await browser.open('/account/passkeys'));
    const email = `partner-${member.email}`;
    await auth
      .internal('/internal/accounts/change-email', { member_id: member.member_id, email })
      .expect(200);
    const { path: applies } = await auth.mailbox.wait(email, 'Please confirm your new email');
    await browser.submit(await browser.open(applies), {});
    const { path } = await auth.mailbox.wait(member.email, 'Your email is about to change');
    const reader = auth.browser();
    const page = await reader.submit(await reader.open(path), {});
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('Sign in with a passkey')]);
    await auth.context.afterResponse.drained();
    const after = await accountOf(member);
    expect(after).not.toHaveProperty('password_hash');
    expect([after?.email, after?.passkeys?.length]).toEqual([member.email, 1]);
    expect(after?.recovery?.from.getTime()).toBeGreaterThan(Date.now() + 23 * hour);
    expect(await linksOf(auth, member.member_id)).toEqual([]);
    expect((await browser.open('/account')).text).toContain('type="password"');
    // The new address is notified as well: it may be the owner's.
    for (const to of [member.email, email]) await auth.mailbox.wait(to, noticeSubject);
    const link = (await auth.mailbox.wait(member.email, linkSubject)).path;
    expect((await choose(link)).status).toBe(403);
    const owner = auth.browser();
    const end = await enterPasskey(owner, await owner.begin(auth.client, { siteid: '1' }), passkey);
    expect((await owner.open(nextOf(end))).get('Location')).toContain('code=');
    await auth.later(24 * hour + 1_000, async () => {
      expect((await choose(link)).text).toContain('Your password was changed');
    });
  });

  it('is not held up by a passkey that its notice can still remove, which may be a thief’s', async () => {
    const member = await auth.addMember();
    const thief = auth.browser();
    await thief.signIn(auth.client, member);
    await addPasskey(thief, await thief.open('/account/passkeys'));
    await forget(member);
    const { path } = await auth.mailbox.wait(member.email, 'Choose a new password');
    expect((await choose(path)).text).toContain('Your password was changed');
    expect((await accountOf(member))?.passkeys).toBeUndefined();
  });

  it('opens the account at once where operators want no delay', async () => {
    const fast = await startService('recoverynow', { environment: { RECOVERY_DELAY_HOURS: '0' } });
    try {
      const { member } = await withPasskey(fast);
      await forget(member, fast);
      const { path } = await fast.mailbox.wait(member.email, 'Choose a new password');
      expect((await fast.browser().post(path, { password })).text).toContain('Your password was changed');
    } finally {
      await fast.close();
    }
  });
});
