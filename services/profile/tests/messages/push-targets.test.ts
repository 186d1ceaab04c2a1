import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService, type TestMember, type TestService } from '../harness.ts';
import { messaging, say } from '../support/messaging.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService('push-targets');
});
afterAll(() => service.close());

const { woman, writers } = messaging(() => service);

const internal = async (path: string, body: object) => (await service.internal(path, body).expect(200)).body;

const app = (token: string, more: object = {}) => ({
  endpoint: `apns:heartland/production/${token}`,
  types: ['message'],
  ...more,
});

const add = ({ id, memberId: member_id }: TestMember, device: object) =>
  internal('/internal/push/add', { id, member_id, ...device });

interface Target {
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
      internal('/internal/push/remove', { id: member.id, endpoint: app('again').endpoint, added_at });
    await remove(first);
    expect(await endpointsOf(member)).toHaveLength(1);
    await remove((await targetOf(member))?.devices[0]?.added_at);
    expect(await endpointsOf(member)).toEqual([]);
  });

  it('come with the number of unread messages where it is asked for', async () => {
    const [man, member] = await writers();
    await add(member, app('badge'));
    expect((await targetOf(member))?.unread).toBeUndefined();
    expect((await targetOf(member, { badges: true }))?.unread).toBe(0);
    for (const text of ['One', 'Two', 'Three']) await say(man, member, text, text);
    expect((await targetOf(member, { badges: true }))?.unread).toBe(3);
    const { messages } = (await member.get(`/messages/${man.id}`).expect(200)).body;
    await member.delete(`/messages/${man.id}/${messages[0].id}`).expect(200);
    expect((await targetOf(member, { badges: true }))?.unread).toBe(2);
    await member.post(`/messages/${man.id}/read`).expect(200);
    expect((await targetOf(member, { badges: true }))?.unread).toBe(0);
  });
});
