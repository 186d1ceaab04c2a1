import { beforeAll, describe, expect, it } from '@jest/globals';
import type { System } from '../support/system.ts';
import { until } from '@covalence/testing/until';
import request from 'supertest';
import { as, registerMember, type TestMember } from '../support/members.ts';
import { signIn, tokensBySignIn } from '../support/sign-in.ts';
import { openSocket } from '../support/socket.ts';

/** Work of Customer Service. */
export function staffCases(system: () => System): void {
  describe('Customer Service, through the gateway only', () => {
    let stack: System;
    let staff: ReturnType<typeof as>;
    let member: TestMember;

    beforeAll(async () => {
      stack = system();
      member = await registerMember(stack.url, stack.demo, { siteid: 2, headline: 'The first headline' });
    });

    it('signs in on the hosted page with the staff client', async () => {
      const office = stack.demo.staff;
      staff = as(stack.url, { tokens: await tokensBySignIn(stack.url, office, office) });
      await staff.get('/staff/queue?kind=profile').expect(200);
      await as(stack.url, member).get('/staff/queue?kind=profile').expect(403, { fail: 'Forbidden' });
      const { status } = await request(stack.url).get('/staff/queue?kind=profile');
      expect(status).toBe(401);
    });

    it('finds the new profile, approves it and notifies the member', async () => {
      const socket = await openSocket(stack.url, member.tokens.access_token);
      const { body } = await staff.get('/staff/queue?kind=profile&siteid=2').expect(200);
      const [entry] = body.entries;
      expect(entry).toMatchObject({ id: member.id, texts: { headline: 'The first headline' } });
      const { body: approved } = await staff
        .post(`/staff/members/${member.id}/approve`, { revision: entry.revision })
        .expect(200);
      expect(approved).toMatchObject({ id: member.id, changed: true, userstatus: 'approved' });
      const frame = await socket.next('moderation');
      expect(frame.data).toEqual({ subject: 'profile', decision: 'approved' });
      socket.close();
    });

    it('approves a new username, which then is the login name', async () => {
      const username = `${member.username}b`;
      await as(stack.url, member).post('/members/self', { username }).expect(200);
      const renamed = { ...member, username };
      await expect(signIn(stack.url, stack.demo, renamed)).rejects.toThrow('not signed in');
      await staff.post(`/staff/members/${member.id}/texts/username/approve`).expect(200);
      const back = await signIn(stack.url, stack.demo, renamed);
      expect(back.get('code')).toBeTruthy();
      member = renamed;
    });

    it('hears an appeal of a reporter against a closed report, by another person', async () => {
      const reporter = await registerMember(stack.url, stack.demo);
      await as(stack.url, reporter).post('/report', { profileid: member.id, reason: 'rude' }).expect(200, {});
      await staff.post(`/staff/reports/${member.id}:${reporter.id}/close`, { outcome: 'none' }).expect(200);
      const appeal = { text: 'Please read the messages.' };
      await as(stack.url, reporter).post(`/members/self/reports/${member.id}/appeal`, appeal).expect(200, {});
      const { body } = await as(stack.url, reporter).get('/members/self/reports').expect(200);
      expect(body.reports).toMatchObject([{ outcome: 'none', appeal: { state: 'waiting' } }]);
      const { body: waiting } = await staff.get('/staff/appeals').expect(200);
      const [found] = waiting.entries;
      expect(found).toMatchObject({ id: reporter.id, reported: member.id, own: true });
      await staff.post(`/staff/appeals/${found.appeal_id}/grant`).expect(403, { fail: 'Forbidden' });
    });

    it('suspends after a report: tokens, refresh and sockets end at once, until the suspension ends', async () => {
      const reporter = await registerMember(stack.url, stack.demo);
      await as(stack.url, reporter).post('/report', { profileid: member.id, reason: 'spam' }).expect(200, {});
      const reports = await staff.get('/staff/queue?kind=report').expect(200);
      expect(reports.body.entries).toMatchObject([{ id: member.id, reporter: reporter.id, reason: 'spam' }]);

      const socket = await openSocket(stack.url, member.tokens.access_token);
      await until('the next second', () => Date.now() % 1000 < 100);
      await staff.post(`/staff/members/${member.id}/suspend`, { reason: 'spam' }).expect(200);
      expect(await socket.closed).toBe(4401);
      // Services that do not check the member are protected by admission too.
      for (const path of ['/users/self', '/packages']) {
        const { headers } = await as(stack.url, member).get(path).expect(401);
        expect(headers['www-authenticate']).toContain('invalid_token');
      }
      const { client_id, client_secret } = stack.demo;
      const { refresh_token } = member.tokens;
      await request(stack.url)
        .post('/token')
        .send({ client_id, client_secret, grant_type: 'refresh_token', refresh_token })
        .expect(400);
      await expect(signIn(stack.url, stack.demo, member)).rejects.toThrow('not signed in');

      await until('the next second', () => Date.now() % 1000 < 100);
      await staff.post(`/staff/members/${member.id}/unsuspend`).expect(200);
      await as(stack.url, member).get('/packages').expect(401);
      const tokens = await tokensBySignIn(stack.url, stack.demo, member);
      await as(stack.url, { tokens }).get('/users/self').expect(200);

      const { body } = await staff.get(`/staff/members/${member.id}/history`).expect(200);
      expect(body.entries.map(({ action }: { action: string }) => action)).toEqual([
        'unsuspend',
        'suspend',
        'close-report',
        'approve-text',
        'approve',
      ]);
      expect(body.entries[1]).toMatchObject({ reason: 'spam' });
    });
  });
}
