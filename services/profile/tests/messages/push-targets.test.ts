import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@covalence/testing/until';
import { startService, type TestMember, type ServiceUnderTest } from '../harness.ts';
import { messaging, say as tell } from '../support/messaging.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService('push-targets');
});
afterAll(() => service.close());

const { patch, woman, writers } = messaging(() => service);

const internal = async (path: string, body: object) => (await service.internal(path, body).expect(200)).body;

const app = (token: string, more: object = {}) => ({
  endpoint: `apns:heartland/production/${token}`,
  types: ['message'],
  ...more,
});

const add = ({ id, memberId: member_id }: TestMember, device: object) =>
  internal('/internal/push/add', { id, member_id, recent_sign_in: true, ...device });

interface Target {
  readonly previews?: readonly object[];
  readonly devices: readonly { readonly endpoint: string; readonly added_at: string }[];
  readonly unread?: number;
}

const targetOf = async ({ id }: TestMember, more: object = {}): Promise<Target | undefined> =>
  (await internal('/internal/push/targets', { ids: [id], ...more })).targets[0];

const endpointsOf = async (member: TestMember) =>
  ((await targetOf(member))?.devices ?? []).map(({ endpoint }) => endpoint);

describe('devices with an installed app', () => {
  it('are read with their language and what they can show', async () => {
    const member = await woman();
    const device = app('a1', { locale: 'tr_TR', capabilities: ['badge', 'sound'] });
    await add(member, device);
    expect(await targetOf(member)).toMatchObject({
      devices: [{ ...device, added_at: expect.stringMatching(/Z$/) }],
    });
    const { body } = await member.get('/members/self/export').expect(200);
    expect(body.push_subscriptions).toMatchObject([device]);
  });

  it('replace the token that the same sign-in had before, of the same app only', async () => {
    const member = await woman();
    await add(member, app('old', { family: 'phone' }));
    await add(member, app('tablet', { family: 'tablet' }));
    await add(member, { ...app('x', { family: 'phone' }), endpoint: 'fcm:other-app/production/x' });
    await add(member, app('new', { family: 'phone' }));
    expect(await endpointsOf(member)).toEqual([
      app('tablet').endpoint,
      'fcm:other-app/production/x',
      app('new').endpoint,
    ]);
  });

  it('belong to the member who signed in last, and go with the sign-in', async () => {
    const [before, now] = [await woman(), await woman()];
    await add(before, app('shared', { family: 'first' }));
    await add(now, app('shared', { family: 'second' }));
    expect([await endpointsOf(before), await endpointsOf(now)]).toEqual([[], [app('shared').endpoint]]);
    await internal('/internal/push/end', { sign_ins: [{ id: now.id, family: 'second' }] });
    expect(await endpointsOf(now)).toEqual([]);
  });

  it('stay when they were added again after the time of the report that they are gone', async () => {
    const member = await woman();
    await add(member, app('again'));
    const first = (await targetOf(member))?.devices[0]?.added_at;
    const addedAgain = async (after: number) => {
      service.advance(after);
      await add(member, app('again'));
      return (await targetOf(member))?.devices[0]?.added_at;
    };
    expect(await addedAgain(50 * 60_000)).toBe(first);
    expect(await addedAgain(20 * 60_000)).not.toBe(first);
    const remove = (added_at?: string) =>
      internal('/internal/push/remove', {
        id: member.id,
        recent_sign_in: true,
        endpoint: app('again').endpoint,
        added_at,
      });
    await remove(first);
    expect(await endpointsOf(member)).toHaveLength(1);
    await remove((await targetOf(member))?.devices[0]?.added_at);
    expect(await endpointsOf(member)).toEqual([]);
  });

  it('come with the number of unread messages where it is asked for', async () => {
    const [man, member] = await writers();
    await add(member, app('plain'));
    expect((await targetOf(member, { badges: true }))?.unread).toBeUndefined();
    expect((await targetOf(member, { unread: [member.id] }))?.unread).toBe(0);
    await add(member, app('badge', { capabilities: ['badge'] }));
    expect((await targetOf(member))?.unread).toBeUndefined();
    expect((await targetOf(member, { badges: true }))?.unread).toBe(0);
    for (const text of ['One', 'Two', 'Three']) await tell(man, member, text, text);
    expect((await targetOf(member, { badges: true }))?.unread).toBe(3);
    const { messages } = (await member.get(`/messages/${man.id}`).expect(200)).body;
    await member.delete(`/messages/${man.id}/${messages[0].id}`).expect(200);
    expect((await targetOf(member, { badges: true }))?.unread).toBe(2);
    await member.post(`/messages/${man.id}/read`).expect(200);
    expect((await targetOf(member, { badges: true }))?.unread).toBe(0);
  });

  it('come with what the member chose', async () => {
    const member = await woman();
    await add(member, app('chosen', { family: 'phone' }));
    expect(await targetOf(member)).toMatchObject({ muted: [], devices: [app('chosen')] });
    const quiet_hours = { from: '22:00', to: '07:00', timezone: 'Europe/Berlin' };
    await member.patch('/notifications/settings', { likes: { push: false }, quiet_hours }).expect(200);
    expect(await targetOf(member)).toMatchObject({ muted: ['likes'], quiet_hours });
  });

  it('come with names and texts only for a member who wants them, of members and messages to be seen', async () => {
    const [man, member] = await writers();
    await add(member, app('preview'));
    const say = async (text: string) =>
      (await man.post('/messages', { profileid: member.id, text }).expect(200)).body.id as string;
    const [long, deleted] = [await say(`Shall we\n walk? ${'x'.repeat(200)}`), await say('Forget it')];
    await member.delete(`/messages/${man.id}/${deleted}`).expect(200);
    const asked = [
      { profileid: man.id },
      { profileid: man.id, messageid: long },
      { profileid: man.id, messageid: deleted },
      { profileid: 987_654 },
    ].map((one) => ({ id: member.id, ...one }));
    const previews = async () => (await targetOf(member, { previews: asked }))?.previews;
    expect(await previews()).toBeUndefined();
    await member.patch('/notifications/settings', { previews: true }).expect(200);
    const shown = await previews();
    expect(shown).toEqual([
      { profileid: man.id, name: man.username },
      {
        profileid: man.id,
        messageid: long,
        name: man.username,
        text: `Shall we walk? ${'x'.repeat(104)}…`,
      },
    ]);
    // Nobody learns a message of others by its id.
    const stranger = await woman();
    await add(stranger, app('stranger'));
    await stranger.patch('/notifications/settings', { previews: true }).expect(200);
    const theirs = asked.map((one) => ({ ...one, id: stranger.id, messageid: long }));
    expect((await targetOf(stranger, { previews: theirs }))?.previews).toEqual([]);
    await member.post('/block', { profileid: man.id }).expect(200);
    expect(await previews()).toEqual([]);
    await member.post('/unblock', { profileid: man.id }).expect(200);
    expect(await previews()).toEqual(shown);
    await patch(man, { suspended: true });
    expect(await previews()).toEqual([]);
  });

  it('name the members of whom nothing is pushed, because either has blocked the other', async () => {
    const [man, member] = await writers();
    const [other] = await writers();
    await Promise.all([add(member, app('blocks')), add(man, app('blocked'))]);
    const asked = [
      { id: member.id, profileid: man.id },
      { id: member.id, profileid: other.id },
      { id: man.id, profileid: member.id },
    ];
    const blocked = async () => {
      const body = await internal('/internal/push/targets', { ids: [member.id, man.id], previews: asked });
      return (body.targets as { id: number; blocked?: number[] }[]).map((one) => [one.id, one.blocked]);
    };
    expect(Object.fromEntries(await blocked())).toEqual({ [member.id]: [], [man.id]: [] });
    await member.post('/block', { profileid: man.id }).expect(200);
    expect(Object.fromEntries(await blocked())).toEqual({ [member.id]: [man.id], [man.id]: [member.id] });
  });
});

describe('an alert about the security of an account', () => {
  it('is published for the devices of the member', async () => {
    const member = await woman();
    const gathered = service.gather('updates.live');
    await internal('/internal/members/alert', { id: member.id, alert: 'email' });
    await until('published', () => gathered.some(({ type }) => type === 'account.alerted'));
    expect(gathered.find(({ type }) => type === 'account.alerted')).toMatchObject({
      member: member.id,
      data: { alert: 'email' },
    });
  });
});
