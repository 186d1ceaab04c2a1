import { beforeAll, describe, expect, it } from '@jest/globals';
import type { System } from '../support/system.ts';
import request from 'supertest';
import { until } from '@covalence/testing/until';
import { linkOf } from '@covalence/testing/mails';
import { press, readMails } from '../support/hosted-pages.ts';
import { as, male, registerMember, type TestMember } from '../support/members.ts';
import { formOf, signIn, tokensBySignIn } from '../support/sign-in.ts';
import { openSocket } from '../support/socket.ts';

/** Sign-in and sign-out. */
export function signInCases(system: () => System): void {
  describe('sign-in and sign-out, through the gateway', () => {
    let stack: System;
    let member: TestMember;
    beforeAll(async () => {
      stack = system();
      member = await registerMember(stack.url, stack.demo);
    });

    const another = async (who: TestMember): Promise<TestMember> => {
      return { ...who, tokens: await tokensBySignIn(stack.url, stack.demo, who, { siteid: '1' }) };
    };
    /** The status of a call and of a refresh. */
    const statusOf = async (who: TestMember) => {
      const call = await as(stack.url, who).get('/packages');
      return call.status === 401 ? call.headers['www-authenticate'] : call.status;
    };
    const over = expect.stringContaining('invalid_token');

    const refresh = () => {
      const { client_id, client_secret } = stack.demo;
      const { refresh_token } = member.tokens;
      const form = { client_id, client_secret, refresh_token, grant_type: 'refresh_token' };
      return request(stack.url).post('/token').type('form').send(form);
    };

    describe('presence', () => {
      it('notifies a connection that a member goes online and offline, but not a blocked one', async () => {
        const hidden = () => registerMember(stack.url, stack.demo, { online: false });
        const [ann, eve, ben] = await Promise.all([
          hidden(),
          hidden(),
          registerMember(stack.url, stack.demo, male),
        ]);
        const [ofAnn, ofEve, ofBen] = [as(stack.url, ann), as(stack.url, eve), as(stack.url, ben)];
        for (const [her, { id }] of [[ofAnn, ann] as const, [ofEve, eve] as const]) {
          await her.post('/like', { profileid: ben.id }).expect(200);
          await ofBen.post('/like', { profileid: id }).expect(200);
        }
        const socket = await openSocket(stack.url, ben.tokens.access_token);
        const hear = ({ id }: TestMember, online: boolean) =>
          socket.next('presence', ({ data }) => data['profileid'] === id && data['online'] === online);
        for (const online of [true, false]) {
          await ofAnn.post('/members/self', { online }).expect(200);
          await hear(ann, online);
          expect((await ofBen.get(`/users/${ann.id}`).expect(200)).body.online).toBe(online);
        }
        await ofAnn.post('/block', { profileid: ben.id }).expect(200);
        await ofAnn.post('/members/self', { online: true }).expect(200);
        // Updates arrive in order.
        await ofEve.post('/members/self', { online: true }).expect(200);
        await hear(eve, true);
        const told = socket.frames.flatMap(({ type, data }) =>
          type === 'presence' ? [[data['profileid'], data['online']]] : [],
        );
        expect(told).toEqual([
          [ann.id, true],
          [ann.id, false],
          [eve.id, true],
        ]);
        socket.close();
      });
    });

    describe('a deactivated member', () => {
      const refused = { fail: 'Deactivated' };
      it('is refused with every token at once, on an open socket too', async () => {
        const socket = await openSocket(stack.url, member.tokens.access_token);
        await as(stack.url, member).post('/members/self', { deactivated: true }).expect(200);
        for (const path of ['/users/self', '/packages']) {
          const answer = await as(stack.url, member).get(path);
          expect([path, answer.status, answer.body]).toEqual([path, 403, refused]);
        }
        expect((await as(stack.url, member).post('/searches', { age: { from: 18, to: 99 } })).body).toEqual(
          refused,
        );
        expect((await refresh()).body).toMatchObject({ error: 'invalid_grant' });
        await expect(socket.next('like', () => true, 3_000)).rejects.toMatchObject({
          cause: { message: 'socket closed with 4403' },
        });
        await expect(openSocket(stack.url, member.tokens.access_token)).rejects.toMatchObject({
          cause: { message: 'socket closed with 4403' },
        });
      });

      it('restores everything after the credentials are entered twice', async () => {
        const enter = (entries: number) =>
          tokensBySignIn(stack.url, stack.demo, member, { siteid: '1' }, entries);
        await expect(enter(1)).rejects.toThrow('not signed in: 200');
        expect((await as(stack.url, member).get('/users/self')).body).toEqual(refused);
        const tokens = await enter(2);
        const self = await as(stack.url, { tokens }).get('/users/self').expect(200);
        expect(self.body).toMatchObject({ id: member.id, username: member.username });
        const socket = await openSocket(stack.url, tokens.access_token);
        socket.close();
      });
    });

    describe('signing out', () => {
      it('everywhere ends every access token and socket of the member at once, and no others', async () => {
        const other = await registerMember(stack.url, stack.demo);
        const phone = await registerMember(stack.url, stack.demo);
        const tablet = await another(phone);
        const sockets = await Promise.all(
          [phone, tablet].map(({ tokens }) => openSocket(stack.url, tokens.access_token)),
        );
        await as(stack.url, phone).post('/session/everywhere').expect(200, {});
        expect([await statusOf(phone), await statusOf(tablet)]).toEqual([over, over]);
        expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([4401, 4401]);
        await expect(openSocket(stack.url, tablet.tokens.access_token)).rejects.toMatchObject({
          cause: { message: 'socket closed with 4401' },
        });
        expect(await statusOf(other)).toBe(200);
        expect(await statusOf(await another(phone))).toBe(200);
      });

      it('on one device ends that sign-in', async () => {
        const phone = await registerMember(stack.url, stack.demo);
        const tablet = await another(phone);
        const { client_id, client_secret } = stack.demo;
        const form = { client_id, client_secret, token: phone.tokens.refresh_token };
        await request(stack.url).post('/revoke').type('form').send(form).expect(200);
        expect([await statusOf(phone), await statusOf(tablet)]).toEqual([over, 200]);
      });

      it('of a listed device ends its token, socket and push within a second, and not the calling one', async () => {
        const phone = await registerMember(stack.url, stack.demo);
        const tablet = await another(phone);
        const socket = await openSocket(stack.url, phone.tokens.access_token);
        const { body } = await as(stack.url, tablet).get('/sessions').expect(200);
        const { sessions } = body as { sessions: { id: string; current: boolean }[] };
        const other = sessions.find(({ current }) => !current)?.id;
        expect(sessions).toHaveLength(2);
        const { subscription } = stack.pushService.device();
        await as(stack.url, phone).post('/webpush', subscription).expect(200);
        const pushIds = async () =>
          (await as(stack.url, tablet).get('/users/self').expect(200)).body.push_ids;
        expect(await pushIds()).toHaveLength(1);
        await as(stack.url, tablet).delete(`/sessions/${other}`).expect(200, {});
        const ended = Date.now();
        expect([await statusOf(phone), await statusOf(tablet)]).toEqual([over, 200]);
        expect(await socket.closed).toBe(4401);
        await until('no push messages', async () => (await pushIds()).length === 0);
        expect(Date.now() - ended).toBeLessThan(1_000);
      });

      it('ends every sign-in except the calling one after a new email address', async () => {
        const phone = await registerMember(stack.url, stack.demo);
        const tablet = await another(phone);
        const [mine, theirs] = await Promise.all(
          [phone, tablet].map(({ tokens }) => openSocket(stack.url, tokens.access_token)),
        );
        const email = `new-${phone.username}@mail.example`;
        await as(stack.url, phone).post('/members/self', { email }).expect(200, {});
        const { body: own } = await as(stack.url, phone).get('/users/self').expect(200);
        expect(own).toMatchObject({ email: `${phone.username}@mail.example`, email_moderated: email });
        const link = await linkOf(stack.mails, email, '/email/');
        expect((await press(stack.url, link)).text).toContain('Your email is confirmed');
        expect([await statusOf(phone), await statusOf(tablet)]).toEqual([200, over]);
        expect(await theirs?.closed).toBe(4401);
        mine?.close();
        expect((await as(stack.url, phone).get('/users/self').expect(200)).body).toMatchObject({ email });
      });

      it('ends every sign-in after a password reset by mail', async () => {
        const before = await registerMember(stack.url, stack.demo);
        const email = `${before.username}@mail.example`;
        const { client_id, redirect_uri } = stack.demo;
        const browser = request.agent(stack.url);
        const started = await browser
          .get('/authorize')
          .query({ client_id, redirect_uri, response_type: 'code', siteid: '1' })
          .redirects(3);
        const forgotten = /href="([^"]+\/forgotten)"/.exec(started.text)?.[1] ?? '';
        expect((await press(stack.url, forgotten, { login: email }, browser)).text).toContain(
          'Check your email',
        );
        const link = await linkOf(stack.mails, email, '/password/');
        const password = 'quiet-meadow-77';
        expect((await press(stack.url, link, { password })).text).toContain('Your password was changed');
        expect(await statusOf(before)).toEqual(over);
        expect(await statusOf(await another({ ...before, password }))).toBe(200);
        await request(stack.url).get(link).expect(400);
      });
    });

    it('changes the email address, hands out the data and deletes the account on the hosted pages', async () => {
      const leaving = await registerMember(stack.url, stack.demo);
      const browser = request.agent(stack.url);
      const form = formOf((await browser.get('/account/export').redirects(5)).text);
      const credentials = { login: leaving.username, password: leaving.password };
      const signedIn = await browser
        .post(form.action)
        .type('form')
        .send({ ...form.fields, ...credentials })
        .redirects(5);
      expect(signedIn.text).toContain('Download your data');
      const email = `hosted-${leaving.username}@mail.example`;
      await press(stack.url, '/account/email', { action: 'change', email }, browser);
      expect((await browser.get('/account/email')).text).toContain(`A change to ${email} waits`);
      const { body } = await press(stack.url, '/account/export', {}, browser);
      expect(body).toMatchObject({ id: leaving.id, account: { pending_email: email }, photos: [] });
      const deleted = await press(stack.url, '/account/delete', { confirm: 'yes' }, browser);
      expect(deleted.text).toContain('Your account is deleted');
      expect((await as(stack.url, leaving).get('/packages')).status).toBe(403);
      await until('a mail', () =>
        readMails(stack.mails, leaving.username).includes('Your profile was deleted'),
      );
    });

    it('logs no secret, token or personal data at any level or failure', async () => {
      const { client_secret, staff } = stack.demo;
      const newcomer = await registerMember(stack.url, stack.demo);
      const { access_token, refresh_token } = newcomer.tokens;
      const wrong = { client_secret: 'wrong-secret-in-a-log', refresh_token, grant_type: 'refresh_token' };
      await request(stack.url)
        .post('/token')
        .send({ ...wrong, client_id: stack.demo.client_id })
        .expect(401);
      await request(stack.url).get(`/users/self?access_token=${access_token}`).expect(401);
      await request(stack.url).post('/members').send({ password: 'half-a-body-in-a-log' }).expect(403);
      await signIn(stack.url, stack.demo, { ...newcomer, password: 'wrong-entry-in-a-log' }).catch(
        () => undefined,
      );

      const names = ['gateway', 'auth', 'profile', 'search', 'billing', 'updates'] as const;
      const lines = names.flatMap((name) => stack.service(name).logs(Infinity));
      expect(lines.filter((line) => line.includes('/members/self')).length).toBeGreaterThan(0);
      const secrets = [
        client_secret,
        staff.client_secret,
        staff.password,
        'in-a-log',
        'pass-member',
        'quiet-meadow',
      ];
      const telling = [...secrets, '@mail.example', refresh_token.slice(-20), access_token.slice(-20)];
      const isTelling = (line: string) =>
        telling.some((text) => line.includes(text)) ||
        // A latitude, but not the seconds of a time.
        /(?<![:\d])40\.789/.test(line) ||
        // Any token, and the paths of mailed links.
        /eyJ[\w-]+\.[\w-]+\.|\/(?:password|email)\/[\w-]{20}/.test(line);
      expect(lines.filter(isTelling)).toEqual([]);
    });
  });
}
