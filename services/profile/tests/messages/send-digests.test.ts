import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { MemberPatch } from '../../src/members/store/member-store.ts';
import { sendDigests } from '../../src/messages/send-digests.ts';
import { startService, type TestMember, type ServiceUnderTest } from '../harness.ts';
import { messaging, platinum, say as send } from '../support/messaging.ts';

const dayMs = 86_400_000;
const settings = '/notifications/settings';

const say = (from: TestMember, to: TestMember, text: string) => send(from, to, text).expect(200);

describe('digests', () => {
  let service: ServiceUnderTest;
  beforeAll(async () => {
    service = await startService('digests');
  });
  afterAll(() => service.close());
  beforeEach(() => void service.auth.digests.splice(0));

  const { patch, writers } = messaging(() => service);

  /** Two members of whom the second one gets digests. */
  const readers = async (choices: object = { digest: 'daily' }): Promise<[TestMember, TestMember]> => {
    const [man, woman] = await writers({ timezone: 'Europe/Berlin' });
    // The clock of the suite moves by weeks.
    await patch(man, { membership: { ...platinum().membership, expires_at: new Date('2100-01-01') } });
    await woman.patch(settings, choices).expect(200);
    return [man, woman];
  };
  const round = () => sendDigests(service.context);
  const sentTo = ({ memberId }: TestMember) =>
    service.auth.digests.filter(({ member_id }) => member_id === memberId);
  /** Moves the clock past the next digest and runs the job. */
  const nextRound = async (ms = 2 * dayMs) => {
    service.advance(ms);
    await round();
  };

  it('count what is new and not seen, at six in the evening of the member, once a period', async () => {
    const [man, woman] = await readers();
    await say(man, woman, 'One');
    await say(man, woman, 'Two');
    await man.post('/like', { profileid: woman.id }).expect(200);
    await round();
    expect(sentTo(woman)).toEqual([]);
    await nextRound();
    const [digest] = sentTo(woman);
    expect(digest).toEqual({
      member_id: woman.memberId,
      due: expect.any(String),
      locale: 'en_US',
      counts: { messages: 2, likes: 1 },
    });
    const local = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Europe/Berlin',
      hour: '2-digit',
      hourCycle: 'h23',
    });
    expect(local.format(new Date(digest?.due ?? ''))).toBe('18');
    await Promise.all([round(), round()]);
    await nextRound();
    expect(sentTo(woman)).toHaveLength(1);
    await woman.post('/like', { profileid: man.id }).expect(200);
    await say(man, woman, 'Three');
    await nextRound();
    expect(sentTo(woman).map(({ counts }) => counts)).toEqual([
      { messages: 2, likes: 1 },
      { messages: 1, connections: 1 },
    ]);
  });

  it('count the members that saved searches found, and come a round later if search is down', async () => {
    const [, woman] = await readers();
    // The contract refuses it, so that search answers 500 for her alone.
    service.auth.matches.set(woman.id, -1);
    service.advance(2 * dayMs);
    expect(await round()).toBe(1);
    expect(sentTo(woman)).toEqual([]);
    service.auth.matches.set(woman.id, 3);
    await round();
    expect(sentTo(woman).map(({ counts }) => counts)).toEqual([{ matches: 3 }]);
    await woman.patch(settings, { matches: { mail: false } }).expect(200);
    await nextRound();
    expect(sentTo(woman)).toHaveLength(1);
  });

  it('leave out what was seen meanwhile, and the kinds that are off', async () => {
    const [man, woman] = await readers({ digest: 'daily', messages: { mail: false } });
    await say(man, woman, 'One');
    await man.post('/like', { profileid: woman.id }).expect(200);
    await woman.post('/members/self/activity/reset/likedme').expect(200);
    await nextRound();
    expect(sentTo(woman)).toEqual([]);
    await woman.patch(settings, { messages: { mail: true } }).expect(200);
    await say(man, woman, 'Two');
    await woman.post(`/messages/${man.id}/read`).expect(200);
    await nextRound();
    expect(sentTo(woman)).toEqual([]);
  });

  it.each<[string, MemberPatch]>([
    ['hidden', { fields: {} }],
    ['not approved', { userstatus: 'rejected' }],
    ['suspended', { suspended: true }],
    ['deactivated', { deactivated: true }],
    ['deleted', { deleted: true }],
  ])('do not go to a member who is %s', async (name, change) => {
    const [man, woman] = await readers();
    await say(man, woman, 'One');
    const { fields } = (await service.context.members.store.byId(woman.id)) ?? {};
    await patch(woman, name === 'hidden' ? { fields: { ...fields, searchable: false } } : change);
    await nextRound();
    expect(sentTo(woman)).toEqual([]);
  });

  it('do not go to a member with a device for push messages, nor when they are off', async () => {
    const [man, woman] = await readers();
    const device = { endpoint: 'fcm:heartland/production/x', types: ['like'] };
    const added = { id: woman.id, member_id: woman.memberId, recent_sign_in: true, ...device };
    await service.internal('/internal/push/add', added).expect(200);
    await say(man, woman, 'One');
    await nextRound();
    expect(sentTo(woman)).toEqual([]);
    const all = { id: woman.id, recent_sign_in: true };
    await service.internal('/internal/push/remove', all).expect(200);
    await say(man, woman, 'Two');
    const stop = { member_id: woman.memberId };
    await service.internal('/internal/notifications/stop-digest', stop).expect(200, {});
    await service.internal('/internal/notifications/stop-digest', stop).expect(200, {});
    expect((await woman.get(settings)).body).toMatchObject({ digest: 'off', likes: { mail: true } });
    await nextRound();
    expect(sentTo(woman)).toEqual([]);
  });

  it.each<[string, string[], object]>([
    ['are off', ['like', 'message'], { likes: { push: false }, messages: { push: false } }],
    ['are not among those of the device', ['view'], {}],
  ])(
    'go to a member with a device when the push messages that they count %s',
    async (_why, types, choices) => {
      const [man, woman] = await readers({ digest: 'daily', ...choices });
      const device = { endpoint: `fcm:heartland/production/${woman.id}`, types };
      const added = { id: woman.id, member_id: woman.memberId, recent_sign_in: true, ...device };
      await service.internal('/internal/push/add', added).expect(200);
      await say(man, woman, 'One');
      await nextRound();
      expect(sentTo(woman).map(({ counts }) => counts)).toEqual([{ messages: 1 }]);
    },
  );

  it('come weekly, and no sooner when they are turned off and on', async () => {
    const [man, woman] = await readers({ digest: 'weekly' });
    await say(man, woman, 'One');
    await nextRound(6 * dayMs);
    expect(sentTo(woman)).toEqual([]);
    for (const digest of ['off', 'daily', 'weekly']) await woman.patch(settings, { digest }).expect(200);
    await nextRound(2 * dayMs);
    expect(sentTo(woman)).toEqual([]);
    await say(man, woman, 'Two');
    await nextRound(6 * dayMs);
    expect(sentTo(woman).map(({ counts }) => counts)).toEqual([{ messages: 1 }]);
  });

  it('are asked for again under the same time after a process died or auth failed', async () => {
    const [man, woman] = await readers();
    await say(man, woman, 'One');
    service.auth.failNext('send-digest');
    service.advance(2 * dayMs);
    await round().catch(() => undefined);
    await say(man, woman, 'Two');
    await round();
    const [first, again, ...more] = sentTo(woman);
    expect(again).toEqual(first);
    expect(more).toEqual([]);
    expect(first?.counts).toEqual({ messages: 1 });
  });

  it('wait for the end of quiet hours, and their time is in the export', async () => {
    const quiet_hours = { from: '17:00', to: '21:30', timezone: 'America/New_York' };
    const [man, woman] = await readers({ digest: 'daily', quiet_hours });
    await say(man, woman, 'One');
    await nextRound();
    const local = new Intl.DateTimeFormat('en-GB', { timeZone: quiet_hours.timezone, timeStyle: 'short' });
    expect(sentTo(woman).map(({ due }) => local.format(new Date(due)))).toEqual(['21:30']);
    const { body } = await woman.get('/members/self/export').expect(200);
    expect(body.profile.next_digest).toEqual(expect.any(String));
  });
});
