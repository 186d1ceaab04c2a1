import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import request from 'supertest';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { destination, formOf, type Browser } from '../../support/browser.ts';
import type { TestMember } from '../../support/people.ts';

interface Pair {
  readonly access_token: string;
  readonly refresh_token: string;
}

describe('signing out everywhere', () => {
  let auth: ServiceUnderTest;
  let member: TestMember;
  beforeAll(async () => {
    auth = await startService('everywhere');
  });
  afterAll(() => auth.close());

  const pairFor = async (browser: Browser, who = member): Promise<Pair> => {
    const code = (await browser.signIn(auth.client, who)).searchParams.get('code') ?? '';
    const answer = await auth.token({ ...auth.client, grant_type: 'authorization_code', code }).expect(200);
    return answer.body as Pair;
  };
  const refresh = ({ refresh_token }: Pair) =>
    auth.token({ ...auth.client, grant_type: 'refresh_token', refresh_token });
  const isSignedIn = async (browser: Browser) =>
    (await browser.begin(auth.client)).get('Location') !== undefined;
  const everywhere = (authorization?: string) => {
    const call = request(auth.server).post('/session/everywhere');
    return authorization === undefined ? call : call.set('Authorization', authorization);
  };

  it('ends every family and browser session of this member only when an app requests it', async () => {
    member = await auth.addMember();
    const other = await auth.addMember();
    const [phone, laptop, neighbor] = [auth.browser(), auth.browser(), auth.browser()];
    const [onPhone, onLaptop] = [await pairFor(phone), await pairFor(laptop)];
    const ofOther = await pairFor(neighbor, other);
    await everywhere(`Bearer ${onPhone.access_token}`).expect(200, {});
    expect((await refresh(onPhone).expect(400)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await refresh(onLaptop).expect(400)).body).toMatchObject({ error: 'invalid_grant' });
    expect(await isSignedIn(phone)).toBe(false);
    expect(await isSignedIn(laptop)).toBe(false);
    await refresh(ofOther).expect(200);
    expect(await isSignedIn(neighbor)).toBe(true);
  });

  it('requires an access token', async () => {
    expect((await everywhere().expect(401)).get('WWW-Authenticate')).toContain('Bearer');
    await everywhere('Bearer a.b.c').expect(401);
    const [head, body] = (await pairFor(auth.browser())).access_token.split('.');
    await everywhere(`Bearer ${head}.${body}.${'A'.repeat(86)}`).expect(401);
  });

  it('lets the member sign in again at once', async () => {
    member = await auth.addMember();
    const browser = auth.browser();
    const first = await pairFor(browser);
    await everywhere(`Bearer ${first.access_token}`).expect(200);
    expect((await refresh(await pairFor(browser))).status).toBe(200);
  });

  it('revokes a code that was not exchanged yet', async () => {
    member = await auth.addMember();
    const { access_token } = await pairFor(auth.browser());
    const code = (await auth.browser().signIn(auth.client, member)).searchParams.get('code') ?? '';
    await everywhere(`Bearer ${access_token}`).expect(200);
    const late = await auth.token({ ...auth.client, grant_type: 'authorization_code', code }).expect(400);
    expect(late.body).toMatchObject({ error: 'invalid_grant' });
  });

  it('is the second button of the sign-out page', async () => {
    member = await auth.addMember();
    const [here, there] = [auth.browser(), auth.browser()];
    const [onHere, onThere] = [await pairFor(here), await pairFor(there)];
    const page = await here.open('/session/end');
    expect(page.text).toContain('value="everywhere"');
    const forged = await here.submit(page, { logout: 'everywhere', xsrf: 'guessed' });
    expect(forged.status).toBe(400);
    await refresh(onThere).expect(200);
    const again = await here.open('/session/end');
    expect((await here.submit(again, { logout: 'everywhere' })).text).toContain('You are signed out');
    await refresh(onHere).expect(400);
    expect(await isSignedIn(here)).toBe(false);
    expect(await isSignedIn(there)).toBe(false);
  });

  it('does not accept a choice of site with credentials from before', async () => {
    const shared = { username: 'SameEverywhere', password: 'violet-harbour-43' };
    const first = await auth.addMember({ ...shared, siteid: 1 });
    await auth.addMember({ ...shared, siteid: 2 });
    const { access_token } = await pairFor(auth.browser(), first);
    const browser = auth.browser();
    const form = await browser.begin(auth.client);
    const choice = await browser.submit(form, { login: shared.username, password: shared.password });
    expect(formOf(choice).fields).toHaveProperty('proof');
    await everywhere(`Bearer ${access_token}`).expect(200);
    const stale = await browser.submit(choice, { site: '1' });
    expect(stale.get('Location')).toBeUndefined();
    expect(formOf(stale).fields).toHaveProperty('password');
    const fresh = await browser.submit(stale, { login: shared.username, password: shared.password });
    expect(destination(await browser.submit(fresh, { site: '1' })).searchParams.get('code')).toBeTruthy();
  });

  const changeEmail = (email: string, family?: unknown) =>
    auth.internal('/internal/accounts/change-email', { member_id: member.member_id, email, family });

  describe('a new email address', () => {
    it('ends every sign-in except the one that requested it, once it is confirmed', async () => {
      member = await auth.addMember();
      const [mine, another] = [auth.browser(), auth.browser()];
      const [onMine, onAnother] = [await pairFor(mine), await pairFor(another)];
      await changeEmail(`new-${member.email}`, decodeJwt(onMine.access_token)['family']).expect(200);
      expect(await isSignedIn(another)).toBe(true);
      const { path } = await auth.mailbox.wait(`new-${member.email}`, 'Please confirm your new email');
      const anyone = auth.browser();
      await anyone.submit(await anyone.open(path), {});
      await refresh(onMine).expect(200);
      await refresh(onAnother).expect(400);
      expect(await isSignedIn(another)).toBe(false);
    });

    it('ends nothing when it is the same address', async () => {
      member = await auth.addMember();
      const pair = await pairFor(auth.browser());
      await changeEmail(member.email.toUpperCase()).expect(200);
      expect((await refresh(pair)).status).toBe(200);
    });
  });
});
