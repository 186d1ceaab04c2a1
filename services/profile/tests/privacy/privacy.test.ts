import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { readdirSync } from 'node:fs';
import request from 'supertest';
import { eraseMembers } from '../../src/privacy/erase-member.ts';
import { jpegOf } from '../support/images.ts';
import { tracesLeft, tracesOf } from '../support/traces.ts';
import { startService, type TestMember, type ServiceUnderTest } from '../harness.ts';

const day = 86_400_000;
const man = { gender: 'Male', genderpreference: 'Female' };
const woman = { gender: 'Female', genderpreference: 'Male' };

let service: ServiceUnderTest;
beforeAll(async () => {
  // The suite runs the job itself.
  service = await startService('privacy', {
    environment: { ERASURE_POLL_MS: '3600000', EXPORTS_PER_HOUR: '4' },
  });
  // Far from other numbers, so that a trace of a member is one.
  await service.context.connection.collection('counters').insertMany([
    { _id: 'member' as never, last: 730_000_000 },
    { _id: 'photo' as never, last: 830_000_000 },
  ]);
});
afterAll(() => service.close());

const record = (member: TestMember) => service.context.members.store.byId(member.id);

/** Makes `member` pay, so that they may write. */
const pay = (member: TestMember) =>
  service.context.members.store.change(member.id, () => ({
    membership: {
      status: 'active',
      autorenew: true,
      expires_at: new Date(Date.now() + 300 * day),
      version: 1,
    },
  }));

interface Life {
  readonly nora: TestMember;
  readonly tom: TestMember;
  readonly ted: TestMember;
}

/** Nora with everything that a member can leave behind, Tom who shares it, and Ted, who looked and then blocked her. */
async function live(): Promise<Life> {
  const nora = await service.register({
    ...woman,
    siteid: 2,
    first_name: 'Nora',
    headline: 'Bees and books',
  });
  const tom = await service.register({ ...man, siteid: 2, first_name: 'Tomsfirstname' });
  const ted = await service.register({ ...man, siteid: 2 });
  const staff = await service.staff();
  for (const { id } of [nora, tom, ted]) await staff.post(`/staff/members/${id}/approve`).expect(200);
  await pay(nora);
  await pay(tom);
  await nora.upload(await jpegOf(300, 300), 'me.jpg', { caption: 'At the lake' }).expect(200);
  await nora.post('/members/self', { headline: 'Another headline' }).expect(200);
  await tom.get(`/users/${nora.id}`).expect(200);
  await ted.get(`/users/${nora.id}`).expect(200);
  await ted.post('/report', { profileid: nora.id, reason: 'words of Ted' }).expect(200);
  await ted.post('/block', { profileid: nora.id }).expect(200);
  await nora.get(`/users/${tom.id}`).expect(200);
  await nora.post('/like', { profileid: tom.id }).expect(200);
  await tom.post('/like', { profileid: nora.id }).expect(200);
  await nora.post('/messages', { profileid: tom.id, text: 'Do you keep bees?' }).expect(200);
  await tom.post('/messages', { profileid: nora.id, text: 'Two hives.' }).expect(200);
  await nora.post('/report', { profileid: tom.id, reason: 'words of Nora' }).expect(200);
  await staff.post(`/staff/reports/${nora.id}:${ted.id}/close`, { reason: 'looked at' }).expect(200);
  return { nora, tom, ted };
}

describe('operations that need a recent sign-in', () => {
  const challenge =
    'Bearer realm="covalence", error="insufficient_user_authentication", error_description="A more recent sign-in is required", max_age="600"';

  it.each([
    ['that is eleven minutes old', 660],
    ['of a time that the token does not tell', null],
  ])('a sign-in %s neither deletes the profile nor takes everything along', async (_name, signedInAgo) => {
    const { id, memberId, username } = await service.register();
    const stolen = await service.caller(id, memberId, username, signedInAgo);
    const { headers } = await stolen.delete('/members/self').expect(401, { fail: 'Recent Sign-In Required' });
    expect(headers['www-authenticate']).toBe(challenge);
    await stolen.get('/members/self/export').expect(401, { fail: 'Recent Sign-In Required' });
    await stolen.get('/users/self').expect(200);
  });

  it('accept a sign-in nine minutes ago', async () => {
    const { id, memberId, username } = await service.register();
    const recent = await service.caller(id, memberId, username, 540);
    const answers = [await recent.get('/members/self/export'), await recent.delete('/members/self')];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe('GET /members/self/export', () => {
  let life: Life;
  beforeAll(async () => {
    life = await live();
  });

  it('contains everything about the member from all services', async () => {
    const { nora, tom } = life;
    const { body } = await nora.get('/members/self/export').expect(200);
    expect(body).toMatchObject({
      id: nora.id,
      member_id: nora.memberId,
      record: { first_name: 'Nora', email: 'from-auth@example.org', headline_moderated: 'Another headline' },
      profile: { fields: { headline: 'Bees and books' }, pending: { headline: 'Another headline' } },
      account: { username: 'from-auth', has_password: true },
      identities: [{ provider: 'apple' }],
      sign_ins: [{ client_id: 'an-app' }],
      saved_searches: [{ name: 'Near me' }],
      match_criteria: { criteria: { smoking: { values: [10] } } },
      ledger: [{ amount: 1_999 }],
      live_updates: [{ type: 'like' }],
      views: { received: [{ profileid: tom.id }], made: [{ profileid: tom.id }] },
      moderation: {
        history: [{ action: 'close-report', reason: 'looked at' }, { action: 'approve' }],
        reports_about: [{ open: false }],
        reports_filed: [{ profileid: tom.id, reason: 'words of Nora', state: 'received' }],
      },
    });
    expect(body.relations).toEqual([
      expect.objectContaining({ profileid: tom.id, covalence: 'mutual', viewer_messaged_by_member: true }),
    ]);
    expect(body.messages).toEqual([
      {
        profileid: tom.id,
        messages: [
          expect.objectContaining({ sent: true, text: 'Do you keep bees?', deleted: false }),
          expect.objectContaining({ sent: false, text: 'Two hives.' }),
        ],
      },
    ]);
    const [photo] = body.photos;
    expect(photo).toMatchObject({ caption: 'At the lake', status: 'pending' });
    const statuses = photo.files.map(
      async (url: string) => (await request(service.app).get(new URL(url).pathname)).status,
    );
    expect(await Promise.all(statuses)).toEqual(readdirSync(service.photoDir).map(() => 200));
  });

  it('reveals nothing about others that the member could not see', async () => {
    const { nora, ted } = life;
    const { text } = await nora.get('/members/self/export').expect(200);
    for (const secret of [
      'words of Ted',
      String(ted.id),
      ted.memberId,
      'Tomsfirstname',
      'example.org","pass',
    ]) {
      expect(text).not.toContain(secret);
    }
    expect(text).not.toMatch(/password_hash|argon2|receipt|staff_id/);
  });

  it('is complete or 503, and limited', async () => {
    const { nora } = life;
    service.auth.failNext('export');
    const away = await nora.get('/members/self/export').expect(503);
    expect(away.headers['retry-after']).toBeDefined();
    await nora.get('/members/self/export').expect(200);
    const { headers } = await nora.get('/members/self/export').expect(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(60);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(3_600);
  });
});

describe('DELETE /members/self', () => {
  it('deactivates at once, ends the renewal, and keeps the reason', async () => {
    const member = await service.register();
    await member
      .delete('/members/self')
      .send({ reason_id: 'none' })
      .expect(403, {
        fail: 'Invalid Argument',
        failcode: [20801],
      });
    const calls = service.auth.calls.length;
    const { body } = await member.delete('/members/self').send({ reason_id: 1 }).expect(200);
    expect(Date.parse(body.erased_after) - Date.now()).toBeGreaterThan(29.9 * day);
    expect(service.auth.calls.slice(calls)).toEqual(['stop-renewal', 'notify-deletion']);
    await member.get('/users/self').expect(403, { fail: 'Deactivated' });
    await expect(record(member)).resolves.toMatchObject({ deactivated: true, reason_id: 1 });
  });

  it('changes nothing while billing or auth is down', async () => {
    const member = await service.register();
    const calls = service.auth.calls.length;
    for (const call of ['emails', 'stop-renewal', 'notify-deletion']) {
      service.auth.failNext(call);
      await member.delete('/members/self').expect(503);
      expect((await member.get('/users/self')).status).toBe(200);
    }
    // A renewal that has ended is not begun again: with auth away it was not touched.
    expect(service.auth.calls.slice(calls)).toEqual(['stop-renewal', 'stop-renewal', 'notify-deletion']);
  });

  it('is taken back by signing in within 30 days', async () => {
    const member = await service.register();
    await member.delete('/members/self').expect(200);
    service.advance(29 * day);
    await eraseMembers(service.context);
    await service.internal('/internal/members/reactivate', { member_id: member.memberId }).expect(200);
    service.advance(29 * day);
    await eraseMembers(service.context);
    const { status } = await member.get('/users/self');
    expect(status).toBe(200);
    expect((await record(member))?.erase_at).toBeUndefined();
  });
});

const traces = (member: TestMember, ...more: string[]) => tracesOf(service, member, more);
const tracesAfterRetention = (member: TestMember, ...more: string[]) => tracesLeft(service, member, more);

/** Rounds of the job until the member's events are out and all is gone; a service that fails does so once. */
async function rounds(member: TestMember): Promise<void> {
  const { members, privacy } = service.context;
  for (let round = 0; round < 200; round += 1) {
    if (!(await record(member)) && !(await privacy.erasures.underWay(1)).length) return;
    await members.store.outbox.relayOnce(service.context.clock());
    await eraseMembers(service.context);
  }
  throw new Error('the erasure does not come to an end');
}

describe('the erasure', () => {
  it('leaves no trace of the member, and everything of others', async () => {
    const { nora, tom, ted } = await live();
    const stem = (await record(nora))?.photos[0]?.stem ?? '';
    const { body: before } = await tom.post('/members/self/activity/reset/views').expect(200);
    expect(await traces(nora, stem)).not.toEqual([]);
    const recounted = jest.spyOn(service.context.pairs.counterUpdates, 'schedule');
    await nora.delete('/members/self').expect(200);
    service.advance(30 * day + 1);
    await rounds(nora);
    // Evidence of the report about her is kept, with the photo, and nothing else.
    const kept = await traces(nora, stem);
    expect(kept).toHaveLength(
      1 + readdirSync(service.photoDir).filter((name) => name.startsWith(stem)).length,
    );
    expect(kept[0]).toContain('-profile.evidence: ');
    expect(await tracesAfterRetention(nora, stem)).toEqual([]);
    expect(recounted.mock.calls.flat(2)).toContain(tom.id);
    recounted.mockRestore();

    await tom.get(`/users/${nora.id}`).expect(403, { fail: 'Invalid Argument', failcode: [80013] });
    const { body: threads } = await tom.get('/messages').expect(200);
    expect(threads).toMatchObject({ threads: [], unread: 0 });
    const { body: counters } = await tom.post('/members/self/activity/reset/views').expect(200);
    expect(counters).toEqual({ ...before, connections_total: 0, connections_since_reset: 0 });
    await ted.get('/users/self').expect(200);
  });

  it('leaves nothing of the member’s reports and views, also without a pair after a crash', async () => {
    const { nora, ted } = await live();
    const ida = await service.register({ ...woman, siteid: 2 });
    const { pairs, moderation } = service.context;
    const filed = { reported: ida.id, reporter: ted.id, siteid: 2, reason: 'more words of Ted' };
    await moderation.reports.file(filed, new Date());
    await pairs.activity.countView(ida.id, ted.id, new Date());
    await ted.delete('/members/self').expect(200);
    service.advance(30 * day + 1);
    await rounds(ted);
    expect(await traces(ted, 'more words of Ted')).toEqual([]);
    const { body } = await (await service.staff()).get(`/staff/members/${nora.id}/history`).expect(200);
    expect(body.entries).toMatchObject([
      { action: 'close-report', reason: 'looked at' },
      { action: 'approve' },
    ]);
    expect(body.entries[0]).not.toHaveProperty('report_id');
  });

  it('leaves nothing that others do to the member meanwhile', async () => {
    const { nora, tom } = await live();
    await nora.delete('/members/self').expect(200);
    service.advance(31 * day);
    const { decisions } = service.context.moderation;
    const heldOf = decisions.heldOf.bind(decisions);
    const slow = jest.spyOn(decisions, 'heldOf').mockImplementation(async (id) => {
      const { body } = await tom.post('/report', { profileid: nora.id, reason: 'words of Tom' });
      expect(body.failcode ?? []).toEqual((await record(nora)) ? [] : [80013]);
      return heldOf(id);
    });
    await rounds(nora);
    expect(slow).toHaveBeenCalled();
    slow.mockRestore();
    expect(await tracesAfterRetention(nora, 'words of Tom')).toEqual([]);
  });

  it('continues after any interruption, and is safe to repeat', async () => {
    const { nora, tom } = await live();
    await nora.delete('/members/self').expect(200);
    service.advance(31 * day);
    service.auth.failNext('erase');
    await eraseMembers(service.context);
    // Closed for good already: a sign-in that comes now finds nobody.
    await service.internal('/internal/members/reactivate', { member_id: nora.memberId }).expect(404);
    await rounds(nora);
    await service.context.privacy.erasures.begin({ id: nora.id, member_id: nora.memberId }, new Date());
    await rounds(nora);
    expect(await tracesAfterRetention(nora)).toEqual([]);
    await tom.get('/users/self').expect(200);
  });

  it('that fail do not affect others', async () => {
    const members: TestMember[] = [];
    for (let count = 0; count < 21; count += 1) members.push(await service.register());
    for (const member of members) {
      await member.delete('/members/self').expect(200);
      service.advance(1_000);
    }
    service.advance(31 * day);
    const last = members.at(-1);
    const { auth } = service.context;
    const { eraseMember } = auth;
    const failing = jest
      .spyOn(auth, 'eraseMember')
      .mockImplementation((subject) =>
        subject.id === last?.id ? eraseMember(subject) : Promise.reject(new Error('no answer')),
      );
    // The twenty, the last of them, the twenty again, and the last of them whose events are out now.
    const failed: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      failed.push(await eraseMembers(service.context));
      await service.context.members.store.outbox.relayOnce(service.context.clock());
    }
    failing.mockRestore();
    expect(failed).toContain(20);
    expect(last && (await record(last))).toBeUndefined();
    for (const member of members) await rounds(member);
  });

  it('also follows a deletion by staff, of which decision and ban name the number for an appeal', async () => {
    const member = await service.register();
    const staff = await service.staff();
    await staff.post(`/staff/members/${member.id}/delete`, { reason: 'No', ban: true }).expect(200);
    service.advance(31 * day);
    await rounds(member);
    const kept = (await traces(member)).map((place) => /\.(\w+): /.exec(place)?.[1]);
    expect(new Set(kept)).toEqual(new Set(['bans', 'decisions']));
    expect(await tracesAfterRetention(member)).toEqual([]);
  });
});
