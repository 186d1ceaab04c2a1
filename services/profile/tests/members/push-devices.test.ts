import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService, type TestMember, type ServiceUnderTest } from '../harness.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService('push-devices');
});
afterAll(() => service.close());

const woman = (fields: object = {}) =>
  service.register({ gender: 'Female', genderpreference: 'Male', ...fields });

const internal = async (path: string, body: object) => {
  const response = await service.internal(path, body);
  return { status: response.status, body: response.body };
};

const device = (name: string, types: readonly string[] = ['message']) => ({
  endpoint: `https://push.example/${name}`,
  p256dh: 'key',
  auth: 'secret',
  types,
});
const add = ({ id, memberId: member_id }: TestMember, one: object) =>
  internal('/internal/push/add', { id, member_id, recent_sign_in: true, ...one });
const removeFrom = ({ id }: TestMember, what: object = {}) =>
  internal('/internal/push/remove', { id, recent_sign_in: true, ...what });
interface Target {
  readonly devices: readonly {
    readonly endpoint: string;
    readonly added_at?: string;
  }[];
}
const targetsWithTimes = async (...ids: number[]): Promise<Target[]> =>
  (await internal('/internal/push/targets', { ids })).body.targets;
/** Without the times at which devices were added. */
const targets = async (...ids: number[]): Promise<Target[]> =>
  (await targetsWithTimes(...ids)).map((target) => ({
    ...target,
    devices: target.devices.map(({ added_at: _added, ...device }) => device),
  }));
/** The names of a member's devices, the newest last. */
const namesOf = async ({ id }: TestMember): Promise<string[]> => {
  const [target] = await targets(id);
  return (target?.devices ?? []).map(({ endpoint }) => endpoint.replace(/.*\//, ''));
};
const pushIds = async (member: TestMember) => (await member.get('/users/self')).body.push_ids;

/** A member with devices, each of a sign-in of its own. */
const owner = async (count = 1) => {
  const member = await woman();
  for (let number = 1; number <= count; number += 1) {
    const family = `own ${number}`;
    expect((await add(member, { ...device(`${member.id}-${number}`), family })).status).toBe(200);
  }
  return { member, own: await namesOf(member) };
};

describe('devices that take push messages', () => {
  it('are in the record at once, and are read with site, locale and types', async () => {
    const member = await woman({ locale: 'de_DE' });
    expect(await pushIds(member)).toEqual([]);
    const first = await add(member, device('a1'));
    expect(first).toEqual({ status: 200, body: { push_ids: [member.memberId] } });
    await add(member, device('a1', ['like', 'mutual']));
    await add(member, device('a2'));
    expect(await pushIds(member)).toEqual([member.memberId]);
    expect(await targets(member.id, 987_654)).toEqual([
      {
        id: member.id,
        title: expect.any(String),
        locale: 'de_DE',
        devices: [device('a1', ['like', 'mutual']), device('a2')],
        muted: [],
      },
    ]);
    const { endpoint } = device('a1');
    const one = await removeFrom(member, { endpoint });
    expect(one.body).toEqual({ push_ids: [member.memberId] });
    const all = await removeFrom(member);
    expect(all.body).toEqual({ push_ids: [] });
    expect(await pushIds(member)).toEqual([]);
    expect(await targets(member.id)).toEqual([]);
  });

  it('are in the export, with the push ids of older apps', async () => {
    const member = await woman();
    const push_id = 'APA91b-older-app';
    await internal('/internal/push/add-id', { id: member.id, member_id: member.memberId, push_id });
    await add(member, device('exported'));
    const { body } = await member.get('/members/self/export').expect(200);
    expect(body.profile.legacy_push_ids).toEqual([push_id]);
    expect(body.push_subscriptions).toMatchObject([{ endpoint: device('exported').endpoint }]);
  });

  it('are listed after the push ids of older apps, of which the newest twenty stay', async () => {
    const member = await woman();
    const record = async (push_id: string) =>
      internal('/internal/push/add-id', { id: member.id, member_id: member.memberId, push_id });
    const remove = async (what: object) => (await removeFrom(member, what)).body.push_ids;
    for (const push_id of ['a', 'b', 'a']) expect((await record(push_id)).status).toBe(200);
    expect(await pushIds(member)).toEqual(['a', 'b']);
    await add(member, device('beside'));
    expect(await pushIds(member)).toEqual(['a', 'b', member.memberId]);
    expect(await remove({ push_id: 'a' })).toEqual(['b', member.memberId]);
    expect(await remove({ push_id: 'other' })).toEqual(['b', member.memberId]);
    expect(await remove({})).toEqual([]);
    for (let number = 1; number <= 21; number += 1) await record(`id${number}`);
    expect((await pushIds(member)).slice(0, 1)).toEqual(['id2']);
    expect(await targets(member.id)).toEqual([]);
    expect(
      (await internal('/internal/push/add-id', { id: 987_654, member_id: member.memberId, push_id: 'a' }))
        .status,
    ).toBe(404);
    const staff = await service.staff();
    await staff.post(`/staff/members/${member.id}/delete`, { reason: 'x' }).expect(200);
    expect((await service.context.members.store.byId(member.id))?.legacy_push_ids).toBeUndefined();
    expect((await record('late')).status).toBe(404);
  });

  it('belong to the last member who signed in; the newest twenty stay, and the newest three of a sign-in', async () => {
    const [before, now] = [await woman(), await woman()];
    await add(before, device('shared'));
    await add(now, device('shared'));
    expect([await pushIds(before), await pushIds(now)]).toEqual([[], [now.memberId]]);
    for (let number = 1; number <= 20; number += 1) {
      await add(now, { ...device(`many${number}`), family: `sign-in ${number}` });
    }
    expect(await namesOf(now)).toEqual(Array.from({ length: 20 }, (_, index) => `many${index + 1}`));
    for (const name of ['a', 'b', 'c', 'd']) await add(now, { ...device(name), family: 'sign-in 20' });
    expect((await namesOf(now)).slice(-4)).toEqual(['many19', 'b', 'c', 'd']);
  });

  describe('of another sign-in than that of a stolen token', () => {
    const stolen = { family: 'stolen', recent_sign_in: false };
    const remove = (member: TestMember, what: object) => removeFrom(member, { ...stolen, ...what });
    const refusal = { status: 409, body: { fail: 'Recent Sign-In Required' } };
    it('stay when it removes one of them, or all', async () => {
      const { member, own } = await owner();
      await add(member, { ...device(`${member.id}-thief`), ...stolen });
      const { endpoint } = device(own[0] ?? '');
      expect([await remove(member, { endpoint }), await remove(member, {})]).toEqual([refusal, refusal]);
      expect(await namesOf(member)).toEqual([...own, `${member.id}-thief`]);
      expect((await remove(member, { recent_sign_in: true })).body).toEqual({ push_ids: [] });
    });

    it('stay when it registers more than a member may have', async () => {
      const { member, own } = await owner(3);
      for (let number = 1; number <= 21; number += 1) {
        expect((await add(member, { ...device(`${member.id}-fake${number}`), ...stolen })).status).toBe(200);
      }
      expect(await namesOf(member)).toEqual([
        ...own,
        ...[19, 20, 21].map((one) => `${member.id}-fake${one}`),
      ]);
    });

    it('stay when all places are taken, until it is renewed', async () => {
      const { member, own } = await owner(20);
      const fake = { ...device(`${member.id}-fake`), ...stolen };
      expect(await add(member, fake)).toEqual(refusal);
      expect(await namesOf(member)).toEqual(own);
      await add(member, { ...fake, recent_sign_in: true });
      expect(await namesOf(member)).toEqual([...own.slice(1), `${member.id}-fake`]);
      await add(member, { ...device(`${member.id}-moved`), ...stolen, family: 'own 2' });
      expect(await namesOf(member)).toContain(`${member.id}-moved`);
    });

    it('stay beside its own, which it removes without more', async () => {
      const { member, own } = await owner();
      const mine = { ...device(`${member.id}-mine`), ...stolen };
      await add(member, mine);
      expect((await remove(member, { endpoint: mine.endpoint })).status).toBe(200);
      expect(await namesOf(member)).toEqual(own);
      const alone = await woman();
      await add(alone, { ...device('alone'), ...stolen });
      expect((await remove(alone, {})).body).toEqual({ push_ids: [] });
    });
  });

  it('belong to one member when two register one at once', async () => {
    const members = [await woman(), await woman(), await woman()];
    const names = Array.from({ length: 12 }, (_, index) => `at-once-${index}`);
    await Promise.all(names.flatMap((name) => members.map((member) => add(member, device(name)))));
    const found = await targets(...members.map(({ id }) => id));
    const held = found.flatMap(({ devices }) => devices.map(({ endpoint }) => endpoint));
    expect(held.toSorted()).toEqual(names.map((name) => device(name).endpoint).toSorted());
  });

  it('go with the sign-in that added them last, and with no other', async () => {
    const [member, other] = [await woman(), await woman()];
    await add(member, { ...device('moved'), family: 'earlier' });
    await add(member, { ...device('moved'), family: 'phone' });
    await add(member, { ...device('stays'), family: 'laptop' });
    await add(member, device('older'));
    await add(other, { ...device('hers'), family: 'phone' });
    const endOf = (family: string) =>
      internal('/internal/push/end', {
        sign_ins: [
          { id: member.id, family },
          { id: 987_654, family },
        ],
      });
    expect((await endOf('earlier')).status).toBe(200);
    expect((await targets(member.id))[0]?.devices).toHaveLength(3);
    expect((await endOf('phone')).status).toBe(200);
    expect((await targets(member.id))[0]?.devices).toEqual([device('stays'), device('older')]);
    expect((await targets(other.id))[0]?.devices).toEqual([device('hers')]);
  });

  it('are refused for unknown, deactivated, suspended and deleted members', async () => {
    const member = await woman();
    expect((await add({ ...member, id: 987_654 }, device('b'))).status).toBe(404);
    await add(member, device('b'));
    const staff = await service.staff();
    await staff.post(`/staff/members/${member.id}/suspend`, { reason: 'x' }).expect(200);
    expect(await targets(member.id)).toEqual([]);
    expect((await add(member, device('b2'))).status).toBe(404);
    await staff.post(`/staff/members/${member.id}/delete`, { reason: 'x' }).expect(200);
    expect((await service.context.members.store.byId(member.id))?.push_subscriptions).toBeUndefined();
    const away = await woman();
    await add(away, device('c'));
    await away.post('/members/self', { deactivated: true }).expect(200);
    expect(await targets(away.id)).toEqual([]);
    expect(await add(away, device('c2'))).toEqual({ status: 403, body: { fail: 'Deactivated' } });
  });
});
