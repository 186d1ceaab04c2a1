import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { alertsTo } from '../../support/alerts.ts';
import { destination, formOf, type Browser } from '../../support/browser.ts';
import type { TestMember } from '../../support/people.ts';
import {
  linksOf,
  removePassword,
  startProviders,
  storeLink,
  type TestProviders,
} from '../../support/providers.ts';

const path = '/account';

/** Sends a form of the page with its CSRF token. */
const post = async (browser: Browser, fields: Record<string, string>) => {
  const { fields: own } = formOf(await browser.open(path));
  return browser.post(path, { csrf: own['csrf'] ?? '', ...fields });
};

describe('the page of the account', () => {
  let auth: ServiceUnderTest;
  let providers: TestProviders;
  beforeAll(async () => {
    providers = await startProviders();
    auth = await startService('accountpage', { environment: providers.settings });
  });
  afterAll(async () => {
    await auth.close();
    providers.close();
  });

  /** A browser that is signed in, and the refresh token of its app. */
  const signedIn = async (member: TestMember, device_name = 'Ada’s <phone>', userAgent?: string) => {
    const browser = auth.browser(undefined, userAgent);
    const end = await browser.signIn(auth.client, member, { device_name });
    const code = end.searchParams.get('code') ?? '';
    const { body } = await auth.token({ ...auth.client, grant_type: 'authorization_code', code }).expect(200);
    return { browser, refresh_token: (body as { refresh_token: string }).refresh_token };
  };
  const refresh = (refresh_token: string) =>
    auth.token({ ...auth.client, grant_type: 'refresh_token', refresh_token });
  const link = (member: TestMember) => storeLink(auth, member, member.member_id);
  const providersOf = async ({ member_id }: TestMember) =>
    (await linksOf(auth, member_id)).map(({ provider }) => provider);

  it('lists the sign-ins and ends one of them, and none of somebody else', async () => {
    const member = await auth.addMember();
    const here = await signedIn(member);
    const other = await signedIn(member, 'Old phone');
    const stranger = await signedIn(await auth.addMember());
    const page = await here.browser.open(path);
    expect(page.text).toContain('Ada’s &lt;phone&gt; · Test app');
    const [old] = await auth.context.tokens.families
      .of(member.member_id, new Date(), 100)
      .then((all) => all.filter(({ device_name }) => device_name === 'Old phone'));
    const ended = await post(here.browser, { action: 'end', id: old?._id ?? '' });
    expect(ended.text).not.toContain('Old phone');
    expect(ended.text).toMatch(/role="status"[^>]*>The sign-in has ended\./);
    await refresh(other.refresh_token).expect(400);
    await refresh(here.refresh_token).expect(200);
    const [theirs] = await auth.context.tokens.families.of(member.member_id, new Date(), 1);
    expect((await post(stranger.browser, { action: 'end', id: theirs?._id ?? '' })).status).toBe(200);
    expect(await auth.context.tokens.families.find(theirs?._id ?? '')).not.toHaveProperty('revoked_at');
  });

  it('marks the sign-in of this browser, with its time, and says that ending it signs out here', async () => {
    const member = await auth.addMember();
    const here = await signedIn(member, 'Old phone');
    await signedIn(
      member,
      '',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0',
    );
    const page = await here.browser.open(path);
    expect(page.text.match(/<h3[^>]*>[^<]*/g)?.map((one) => one.replace(/.*>/, ''))).toEqual([
      'Firefox, macOS · Test app',
      'This browser · Old phone · Test app',
    ]);
    expect(page.text).toMatch(/Last used: \w+ \d+, \d{4}, \d+:\d\d\s[AP]M UTC/);
    const families = await auth.context.tokens.families.of(member.member_id, new Date(), 100);
    const own = families.find(({ device_name }) => device_name === 'Old phone');
    const ended = await post(here.browser, { action: 'end', id: own?._id ?? '' });
    expect(ended.text).toContain('You are signed out');
    expect(ended.text).toContain('<header class="bar">Heartland Singles</header>');
  });

  it('shows no result that it has not sealed, and none of another session', async () => {
    const [first, second] = [await signedIn(await auth.addMember()), await signedIn(await auth.addMember())];
    for (const { browser } of [first, second])
      expect((await browser.open(`${path}?done=sessionEnded.x`)).text).not.toContain('role="status"');
  });

  it('removes the link with a provider, unless nothing else signs the member in', async () => {
    const member = await auth.addMember();
    const { browser } = await signedIn(member);
    await link(member);
    expect((await browser.open(path)).text).toContain('Google');
    await post(browser, { action: 'unlink', provider: 'google' });
    expect(await providersOf(member)).toEqual([]);
    expect(await alertsTo(auth, member)).toContain('credential');
    await link(member);
    // No way in: the operator has taken this provider away.
    await storeLink(auth, member, `x-${member.member_id}`, 'gone');
    await removePassword(auth, member);
    const refused = await post(browser, { action: 'unlink', provider: 'google' });
    expect(refused.text).toContain('This is the only way into your account.');
    expect(await providersOf(member)).toEqual(expect.arrayContaining(['google']));
  });

  it('keeps one of two last ways in that are removed at once', async () => {
    const member = await auth.addMember();
    const { browser } = await signedIn(member);
    await storeLink(auth, member, `g-${member.member_id}`);
    await storeLink(auth, member, `a-${member.member_id}`, 'apple');
    await removePassword(auth, member);
    const { fields } = formOf(await browser.open(path));
    const unlink = (provider: string) =>
      browser.post(path, { csrf: fields['csrf'] ?? '', action: 'unlink', provider });
    await Promise.all([unlink('google'), unlink('apple')]);
    expect(await providersOf(member)).toHaveLength(1);
  });

  it('signs out everywhere, this browser included', async () => {
    const { browser, refresh_token } = await signedIn(await auth.addMember());
    const page = await post(browser, { action: 'everywhere' });
    expect(page.text).toContain('You are signed out');
    await refresh(refresh_token).expect(400);
    expect((await browser.open(path)).text).toContain('name="password"');
  });

  it('shows and changes nothing without a recent sign-in, a session, or its own form', async () => {
    const member = await auth.addMember();
    const { browser } = await signedIn(member);
    const forged = await browser.post(path, { action: 'everywhere', csrf: 'x' });
    expect(forged.status).toBe(403);
    const { fields } = formOf(await browser.open(path));
    await auth.later(11 * 60_000, async () => {
      const asked = await browser.post(path, { action: 'everywhere', csrf: fields['csrf'] ?? '' });
      expect(asked.text).not.toContain(member.email);
      const { username, password } = member;
      expect(destination(await browser.submit(asked, { login: username, password })).pathname).toBe(path);
    });
    const nobody = await auth.browser().open(path);
    expect(nobody.text).toContain('name="password"');
  });
});
