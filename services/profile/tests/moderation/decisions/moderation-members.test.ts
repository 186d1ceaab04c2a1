import { flagsAreComplete } from '@covalence/contract/admission-flag';
import { redisKeys } from '@covalence/contract/redis-keys';
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Photo } from '../../../src/members/document/member.ts';
import { createPresenceStore } from '../../../src/members/store/presence-store.ts';
import { repeatFlags } from '../../../src/members/flag-admission.ts';
import { manual, path, startModeration, type Moderation, why } from '../../support/moderation.ts';
import type { TestMember } from '../../harness.ts';

let service: Moderation['service'];
let ann: Moderation['ann'];
let bob: Moderation['bob'];
let live: Moderation['live'];
let own: Moderation['own'];
let all: Moderation['all'];
let entryOf: Moderation['entryOf'];
let entries: Moderation['entries'];
let actions: Moderation['actions'];
let notifiedOf: Moderation['notifiedOf'];
beforeAll(async () => {
  ({ service, ann, bob, live, own, all, entryOf, entries, actions, notifiedOf } =
    await startModeration('mod-members'));
});
afterAll(() => service.close());

const photo = (id: number, parts: Partial<Photo> = {}): Photo => ({
  id,
  stem: `stem${id}`,
  extension: '.jpg',
  sizes: [250],
  status: 'pending',
  primary: false,
  order: id,
  added_at: new Date(),
  ...parts,
});

describe('photos', () => {
  it('wait for review; the first approved one becomes primary until it is rejected', async () => {
    const member = await service.register(manual);
    const [one, two] = await service.context.members.ids.take('photo', 2);
    if (one === undefined || two === undefined) throw new Error('no ids');
    await service.context.members.store.change(member.id, () => ({ photos: [photo(one), photo(two)] }));
    expect(await entryOf('photo', member)).toMatchObject({
      photos: [{ id: one, status: 'pending' }, { id: two }],
    });
    const approved = await ann.post(`/staff/photos/${one}/approve`);
    expect(approved.body).toMatchObject({ id: member.id, photoid: one, changed: true });
    expect(await own(member)).toMatchObject({ photo_count: 1, photo_primary: true, photo: { id: one } });
    expect(await entryOf('photo', member)).toMatchObject({ photos: [{ id: two }] });
    await ann.post(`/staff/photos/${two}/approve`).expect(200);
    await bob.post(`/staff/photos/${one}/reject`, { reason: 'a cat' }).expect(200);
    expect(await own(member)).toMatchObject({ photo_count: 1, photo_primary: true, photo: { id: two } });
    expect(await entryOf('photo', member)).toBeUndefined();
    expect((await entries(member))[0]).toMatchObject({
      action: 'reject-photo',
      photoid: one,
      reason: 'a cat',
      before: 'approved',
      after: 'rejected',
    });
    await until('the member is told', () => notifiedOf(member).length === 3);
    expect(notifiedOf(member)[0]).toEqual({ subject: 'photo', decision: 'approved', photo: one });
  });
});

describe('reports', () => {
  it('mark the pair, wait once when repeated, and are closed with an entry', async () => {
    const [reporter, other] = [
      await service.register(),
      await service.register({ gender: 'Female', genderpreference: 'Male' }),
    ];
    expect((await reporter.get(`/users/${other.id}`)).body.reported).toBe(false);
    const { status, body } = await reporter.post('/report', {
      profileid: other.id,
      reason: 'Asks for money',
    });
    expect({ status, body }).toEqual({ status: 200, body: {} });
    await reporter.post('/report', { profileid: other.memberId }).expect(200);
    expect((await reporter.get(`/users/${other.id}`)).body.reported).toBe(true);
    expect((await other.get(`/users/${reporter.id}`)).body.reported).toBe(false);

    const found = (await all('report', { siteid: '1' }, 1)).filter(({ id }) => id === other.id);
    expect(found).toMatchObject([{ kind: 'report', reporter: reporter.id, reason: 'Asks for money' }]);
    const url = `/staff/reports/${String(found[0]?.['report_id'])}/close`;
    const answers = await Promise.all([ann.post(url, { reason: 'harmless' }), bob.post(url)]);
    expect(answers.filter((answer) => answer.body.changed)).toHaveLength(1);
    expect(await entryOf('report', other)).toBeUndefined();
    expect(await actions(other)).toEqual(['close-report']);

    await reporter.post('/report', { profileid: other.id, reason: 'Again' }).expect(200);
    expect(await entryOf('report', other)).toMatchObject({ reason: 'Again' });
    await ann.post(path(other, 'suspend'), { reason: 'fraud' }).expect(200);
    expect(await entryOf('report', other)).toBeUndefined();
  });

  it('have one history entry after an interrupted closing is repeated', async () => {
    const [reporter, other] = [await service.register(), await service.register()];
    await reporter.post('/report', { profileid: other.id }).expect(200);
    const url = `/staff/reports/${other.id}:${reporter.id}/close`;
    jest
      .spyOn(service.context.moderation.decisions, 'append')
      .mockRejectedValueOnce(new Error('the process ends here'));
    await ann.post(url, { reason: 'harmless' }).expect(500);
    expect(await entryOf('report', other)).toBeDefined();
    const record = jest.spyOn(service.context.security, 'record');
    for (const [again, changed] of [
      [ann, true],
      [ann, false],
      [bob, false],
    ] as const) {
      const { body } = await again.post(url, { reason: 'harmless' }).expect(200);
      expect(body).toMatchObject({ changed });
    }
    const facts = { staff: ann.memberId, memberNumber: other.id, reason: 'close-report' };
    expect(record.mock.calls).toEqual([['staff_decision', facts]]);
    record.mockRestore();
    expect(await entries(other)).toMatchObject([
      { action: 'close-report', staff_id: ann.memberId, reason: 'harmless' },
    ]);
  });

  it.each([
    ['nobody', {}, { fail: 'Invalid Argument' }],
    ['a stranger to the system', { profileid: 999_999_999 }, { fail: 'Invalid Argument', failcode: [80013] }],
    [
      'with a reason over 1,000 characters',
      { profileid: 1, reason: 'x'.repeat(1001) },
      { fail: 'Invalid Argument' },
    ],
  ])('of %s are refused', async (_name, sent, body) => {
    const member = await service.register();
    const answer = await member.post('/report', sent);
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 403, body });
  });

  it.each(['', null])('need no reason, which %p is', async (reason) => {
    const [reporter, other] = [await service.register(), await service.register()];
    const { status } = await reporter.post('/report', { profileid: other.id, reason });
    expect(status).toBe(200);
  });

  it('of oneself are 80001', async () => {
    const member = await service.register();
    const { body } = await member.post('/report', { profileid: member.id });
    expect(body).toEqual({ fail: 'Invalid Argument', failcode: [80001] });
  });
});

const flagOf = (member: TestMember) =>
  service.context.redis.get(redisKeys.deactivated(service.context.config.NAMESPACE, member.id));

describe('suspension', () => {
  it('ends tokens, sessions and sockets at once; its end restores no token', async () => {
    const member = await service.register();
    const viewer = await service.register({ gender: 'Female', genderpreference: 'Male' });
    service.advance(5_000);
    const { status, body } = await ann.post(path(member, 'suspend'), { reason: 'fraud' });
    expect({ status, body }).toMatchObject({ status: 200, body: { changed: true, suspended: true } });
    const refused = await member.get('/users/self');
    expect(refused.status).toBe(401);
    expect(refused.headers['www-authenticate']).toContain('invalid_token');
    expect(await flagOf(member)).toBe('ended');
    // Nor is anybody charged who cannot sign in to end that.
    expect(service.auth.calls.slice(-2)).toEqual(['end-sessions', 'stop-renewal']);
    await until('sockets are told', () =>
      live.some(({ type, member: id }) => type === 'member.suspended' && id === member.id),
    );
    expect((await viewer.get(`/users/${member.id}`)).body.failcode).toEqual([80014]);
    const ids = { member_id: member.memberId, id: member.id };
    const state = await service.internal('/internal/members/state', ids);
    expect(state.body.suspended).toBe(true);

    // The database restores a flag that Redis lost.
    await service.context.redis.del(redisKeys.deactivated(service.context.config.NAMESPACE, member.id));
    await until('the flag again', () => flagOf(member));

    await bob.post(path(member, 'unsuspend')).expect(200);
    expect(await flagOf(member)).toMatch(/^ended:\d+$/);
    expect((await member.get('/users/self')).status).toBe(401);
    expect((await viewer.get(`/users/${member.id}`)).status).toBe(200);
    service.advance(-5_000);
    expect(await actions(member)).toEqual(['unsuspend', 'suspend']);
  });

  it('restores the admission flag for a day after Redis lost its data or another server took over, and only then', async () => {
    const { redis, config, logger, members } = service.context;
    // In a namespace where the job that runs beside changes nothing.
    const namespace = `${config.NAMESPACE}-flags`;
    const presence = createPresenceStore(redis, namespace, logger);
    const repeat = () => repeatFlags({ ...service.context, members: { ...members, presence } });
    const complete = redisKeys.flagsComplete(namespace);
    const member = await service.register();
    const flag = redisKeys.deactivated(namespace, member.id);
    await ann.post(path(member, 'suspend'), why).expect(200);
    service.advance(20 * 3_600_000);
    try {
      await presence.flagsComplete(60);
      await presence.setFlagsComplete(60);
      await repeat();
      expect(await redis.get(flag)).toBeNull();
      for (const before of [undefined, `${flagsAreComplete} of-another-server`]) {
        await redis.del(flag);
        await (before ? redis.set(complete, before) : redis.del(complete));
        await repeat();
        expect(await redis.get(flag)).toBe('ended');
        expect(await redis.ttl(flag)).toBeGreaterThan(24 * 3_600);
        expect(await redis.get(complete)).toMatch(/^complete \w+/);
      }
      // Lost once more while the flags are being set: they are not said to be complete.
      await redis.del(complete);
      expect(await presence.flagsComplete(60)).toBe(false);
      expect(await redis.get(complete)).toBe('begun');
      await redis.del(complete);
      await presence.setFlagsComplete(60);
      expect(await redis.get(complete)).toBeNull();
    } finally {
      service.advance(-20 * 3_600_000);
    }
  });

  it.each([
    ['auth', 'end-sessions'],
    ['billing', 'stop-renewal'],
  ])('can be repeated when %s failed', async (_name, call) => {
    const member = await service.register();
    service.auth.failNext(call);
    expect((await ann.post(path(member, 'suspend'), why)).status).toBeGreaterThanOrEqual(500);
    const from = service.auth.calls.length;
    const { body } = await ann.post(path(member, 'suspend'), why);
    expect(body).toMatchObject({ changed: false, suspended: true });
    expect(service.auth.calls.slice(from)).toEqual(['end-sessions', 'stop-renewal']);
    expect(await actions(member)).toEqual(['suspend']);
  });

  it('of a deleted member changes nothing', async () => {
    const member = await service.register({ ...manual });
    const { body } = await ann.post(path(member, 'delete'), { reason: 'asked for it' });
    expect(body).toMatchObject({ changed: true, deleted: true });
    expect(service.auth.calls.slice(-2)).toEqual(['end-sessions', 'stop-renewal']);
    expect((await member.get('/users/self')).status).toBe(401);
    expect(await entryOf('profile', member)).toBeUndefined();
    expect((await ann.post(path(member, 'suspend'), why)).body.changed).toBe(false);
    expect((await ann.post(path(member, 'approve'))).body).toMatchObject({
      changed: false,
      userstatus: 'new',
    });
    expect(await actions(member)).toEqual(['delete']);
  });
});
