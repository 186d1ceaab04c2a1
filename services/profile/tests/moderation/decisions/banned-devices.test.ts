import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { TestMember } from '../../harness.ts';
import { path, startModeration, type Moderation, why } from '../../support/moderation.ts';

let all: Moderation;
let service: Moderation['service'];
let ann: Moderation['ann'];
beforeAll(async () => {
  all = await startModeration('banned-devices');
  ({ service, ann } = all);
});
afterAll(() => service.close());

const device = (name: string, family: string) => ({
  endpoint: `https://push.example/${name}`,
  p256dh: 'key',
  auth: 'secret',
  types: ['message'],
  family,
});
const add = async ({ id, memberId: member_id }: TestMember, name: string, family = 'sign-in') => {
  const given = { id, member_id, recent_sign_in: true, ...device(name, family) };
  const { status, body } = await service.internal('/internal/push/add', given);
  return { status, body: JSON.stringify(body).replace(member_id, '…') };
};
const isWithheld = async ({ id }: TestMember) =>
  (await service.context.members.store.byId(id))?.suspected === true;
const bansOf = async ({ id }: TestMember, by = 'member') =>
  (await ann.get(`/staff/bans?${by}=${id}`).expect(200)).body.entries as { readonly kind: string }[];

/** A new member with a device. */
async function withDevice(name: string): Promise<TestMember> {
  const member = await service.register({ siteid: 1 });
  await add(member, name);
  return member;
}

/** Whether a sign-in on a device that the member does not have by now withholds the member. */
async function isWithheldAfter(member: TestMember, name: string): Promise<boolean> {
  await service.internal('/internal/push/end', { sign_ins: [{ id: member.id, family: 'sign-in' }] });
  await add(member, name);
  return isWithheld(member);
}

/** A member who was banned with the device of a name. */
async function bannedWith(name: string, input: object = {}): Promise<TestMember> {
  const member = await service.register({ siteid: 1 });
  await add(member, name);
  // The end of the sign-ins removes the device before the ban is listed.
  const { auth } = service.context;
  const end = auth.endSessions.bind(auth);
  const spy = jest.spyOn(auth, 'endSessions').mockImplementationOnce(async (given) => {
    await service.internal('/internal/push/end', { sign_ins: [{ id: member.id, family: 'sign-in' }] });
    return end(given);
  });
  await ann.post(path(member, 'suspend'), { ...why, ban: true, ...input }).expect(200);
  spy.mockRestore();
  return member;
}

describe('a banned device', () => {
  it('that is added at another account is answered as any other, and withholds its member', async () => {
    const grifter = await bannedWith('phone');
    expect((await bansOf(grifter)).map(({ kind }) => kind)).toEqual(['device', 'email']);
    const [back, other] = [await service.register({ siteid: 1 }), await service.register({ siteid: 1 })];
    expect(await add(back, 'phone')).toEqual(await add(other, 'another'));
    expect([await isWithheld(back), await isWithheld(other)]).toEqual([true, false]);
    expect(await bansOf(back, 'matches')).toMatchObject([{ kind: 'device', id: grifter.id }]);
    const flagged = { flagged: true, flags: { device: ['banned'] } };
    expect(await all.entryOf('profile', back)).toMatchObject(flagged);
    const stored = await service.context.connection.collection('bans').find({ kind: 'device' }).toArray();
    expect(JSON.stringify(stored)).not.toMatch(/push\.example|phone/);
  });

  it('leaves an account that is older than the ban alone', async () => {
    const sister = await service.register({ siteid: 1 });
    service.advance(1);
    await bannedWith('family');
    await add(sister, 'family');
    expect(await isWithheld(sister)).toBe(false);
  });

  it('is named beside the address where both match, and neither once staff approved', async () => {
    const grifter = await bannedWith('both');
    const { email } = await service.context.auth.readEmail({ member_id: grifter.memberId });
    const back = await service.register({ siteid: 2, email });
    const flagsOf = async () => (await ann.get(`/staff/members/${back.id}`).expect(200)).body.flags;
    expect(await flagsOf()).toEqual({ email: ['banned'] });
    await add(back, 'both');
    expect(await flagsOf()).toEqual({ email: ['banned'], device: ['banned'] });
    await ann.post(path(back, 'approve')).expect(200);
    expect(await flagsOf()).toEqual({});
  });

  it('of a deletion that failed is listed when the call is repeated, and not when it is refused', async () => {
    const member = await service.register({ siteid: 1 });
    await add(member, 'deleted');
    const remove = (more: object = {}) => ann.post(path(member, 'delete'), { ...why, ban: true, ...more });
    await remove({ revision: 'another' }).expect(409);
    expect(await bansOf(member)).toEqual([]);
    const { store } = service.context.members.bans;
    const put = jest.spyOn(store, 'put').mockRejectedValueOnce(new Error('the process ends here'));
    await remove().expect(500);
    put.mockRestore();
    expect((await remove().expect(200)).body.banned).toMatchObject({ listed: 2, added: 2 });
    expect((await bansOf(member)).map(({ kind }) => kind)).toEqual(['device', 'email']);
    await ann.post(path(member, 'undelete')).expect(200);
    expect(await bansOf(member)).toEqual([]);
    // The devices of the former ban are not kept.
    expect((await remove().expect(200)).body.banned).toMatchObject({ listed: 1 });
  });

  it('does not withhold again whom staff approved, also at a later sign-in or address, unless for another entry', async () => {
    await bannedWith('tablet');
    const back = await service.register({ siteid: 1 });
    await add(back, 'tablet');
    const { body } = await ann.post(path(back, 'approve')).expect(200);
    await ann.post(`/staff/decisions/${body.decision_id}/undo`).expect(200);
    expect(await isWithheld(back)).toBe(true);
    await ann.post(path(back, 'approve')).expect(200);
    service.advance(7_200_000);
    await add(back, 'tablet');
    expect([await isWithheld(back), await isWithheldAfter(back, 'tablet')]).toEqual([false, false]);
    // The approval clears this member of this entry only.
    const other = await service.register({ siteid: 1 });
    await add(other, 'tablet');
    expect(await isWithheld(other)).toBe(true);
    const grifter = await bannedWith('computer');
    const { email } = await service.context.auth.readEmail({ member_id: grifter.memberId });
    const change = async (address: string) => {
      await back.post('/members/self', { email: address }).expect(200);
      return isWithheld(back);
    };
    expect(await change(email.replace('@', '+new@'))).toBe(true);
    await ann.post(path(back, 'approve')).expect(200);
    const again = email.replace('@', '+newer@');
    expect([await change('honest@mail.example'), await change(again)]).toEqual([false, false]);
  });

  it('matches no more after the ban ended, and not where staff left out addresses', async () => {
    const grifter = await bannedWith('old');
    await ann.post(path(grifter, 'unsuspend')).expect(200);
    const back = await service.register({ siteid: 1 });
    await add(back, 'old');
    expect(await isWithheld(back)).toBe(false);
    await bannedWith('shared', { ban_email: false });
    const brother = await service.register({ siteid: 1 });
    await add(brother, 'shared');
    expect(await isWithheld(brother)).toBe(false);
  });
});

describe('an approval of a member whom the ban list matches', () => {
  it('is refused for a revision from before another match', async () => {
    await bannedWith('seen');
    await bannedWith('unseen');
    const back = await withDevice('seen');
    const revision = async () => (await ann.get(`/staff/members/${back.id}`).expect(200)).body.revision;
    const before = await revision();
    await add(back, 'unseen');
    await ann.post(path(back, 'approve'), { revision: before }).expect(409);
    expect(await isWithheld(back)).toBe(true);
    await ann.post(path(back, 'approve'), { revision: await revision() }).expect(200);
    expect([await isWithheldAfter(back, 'seen'), await isWithheldAfter(back, 'unseen')]).toEqual([
      false,
      false,
    ]);
  });

  it('clears the member only of entries that the role covers', async () => {
    const local = await service.staff({ 1: ['moderator'] });
    await bannedWith('near');
    await bannedWith('everywhere', { all_sites: true });
    const back = await withDevice('near');
    await add(back, 'everywhere');
    await local.post(path(back, 'approve')).expect(200);
    expect([await isWithheldAfter(back, 'near'), await isWithheldAfter(back, 'everywhere')]).toEqual([
      false,
      true,
    ]);
    await ann.post(path(back, 'approve')).expect(200);
    expect(await isWithheldAfter(back, 'everywhere')).toBe(false);
  });

  it('clears the member until a suspension', async () => {
    await bannedWith('reader');
    const back = await withDevice('reader');
    await ann.post(path(back, 'approve')).expect(200);
    await ann.post(path(back, 'suspend'), why).expect(200);
    await ann.post(path(back, 'unsuspend')).expect(200);
    expect(await isWithheldAfter(back, 'reader')).toBe(true);
  });

  it('clears the member until the ban is renewed', async () => {
    const grifter = await bannedWith('watch');
    const back = await withDevice('watch');
    await ann.post(path(back, 'approve')).expect(200);
    service.advance(1_000);
    await ann.post(path(grifter, 'suspend'), { ...why, ban: true }).expect(200);
    expect(await isWithheldAfter(back, 'watch')).toBe(true);
    await ann.post(path(back, 'approve')).expect(200);
    expect(await isWithheldAfter(back, 'watch')).toBe(false);
  });
});
