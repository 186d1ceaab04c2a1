import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService, type TestMember, type ServiceUnderTest } from '../../harness.ts';
import { line, type Line } from '../../support/import-lines.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService('update-by-import');
});
afterAll(() => service.close());

const manual = { siteid: 2 };

const send = async (one: Line, mode: 'add' | 'update') => {
  const { body } = await service.internal('/internal/members/import', { members: [one], mode }).expect(200);
  expect(body.refused).toEqual([]);
  return body.imported[0] as { id: number; changed: boolean; ignored: string[] };
};

/** Imports a line, and resolves with its member. */
const imported = async (one: Line): Promise<TestMember> => {
  const { id } = await send(one, 'add');
  return service.caller(id, one.member_id, String(one.parameters['username']));
};

/** Imports the line again, with other parameters. */
const update = async (one: Line, parameters: object = {}) => {
  Object.assign(one.parameters, parameters);
  const { changed, ignored } = await send(one, 'update');
  return { changed, ignored };
};

const stored = async ({ member_id }: Line) => {
  const member = await service.context.members.store.byUuid(member_id);
  if (!member) throw new Error('there is no such member');
  return member;
};

const edit = (member: TestMember, fields: object) => member.post('/members/self', fields).expect(200);

const decide = async ({ id }: TestMember, action: string) =>
  (await service.staff()).post(`/staff/members/${id}/${action}`, { reason: 'Does not fit' }).expect(200);

const applied = { changed: true, ignored: [] };
const nothing = { changed: false, ignored: [] };

describe('an update by an import', () => {
  it('applies what changed in the line, and leaves what members and staff changed', async () => {
    const one = line({ ...manual, height: 170, q_lessons: 'Patience' });
    const member = await imported(one);
    await edit(member, { headline: 'Waits for a review', q_lessons: 'Waits as well', height: 180 });
    await decide(member, 'reject');
    const before = await stored(one);
    expect(await update(one, { smoking: 20 })).toEqual(applied);
    const { fields, pending, approved_answers, flags, userstatus } = await stored(one);
    expect({ fields, pending, approved_answers, flags, userstatus }).toEqual({
      fields: { ...before.fields, smoking: 20 },
      pending: { headline: 'Waits for a review' },
      approved_answers: { q_lessons: 'Patience' },
      flags: before.flags,
      userstatus: 'rejected',
    });
    expect(await update(one)).toEqual(nothing);
    // Another spelling of a value is no change, and a value that is left out stays.
    expect(await update(one, { date_of_birth: '02/03/1991', smoking: '20', height: null })).toEqual(nothing);
  });

  it('reviews changed texts as those of a member', async () => {
    const one = line({ ...manual, q_lessons: 'Patience' });
    await imported(one);
    await update(one, { headline: 'Another headline', q_lessons: 'Courage' });
    expect(await stored(one)).toMatchObject({
      userstatus: 'approved',
      fields: { headline: 'Someone imported' },
      pending: { headline: 'Another headline' },
      approved_answers: { q_lessons: 'Patience' },
      waiting: { text: expect.any(Date) },
    });
    const other = line({ headline: 'Write me: ann@mail.example' });
    await imported(other);
    expect(await stored(other)).toMatchObject({ flags: { headline: ['email'] } });
    await update(other, { headline: 'Nothing to see here', q_lessons: 'see www.ann.com' });
    expect(await stored(other)).toMatchObject({
      fields: { headline: 'Nothing to see here', q_lessons: 'see www.ann.com' },
      pending: {},
      approved_answers: {},
      flags: { q_lessons: ['link'] },
    });
    expect((await stored(other)).flags).not.toHaveProperty('headline');
  });

  it('changes the review status with the file, and publishes no text that nobody has read', async () => {
    const headline = 'Write me: ann@mail.example';
    const one = line({ ...manual, userstatus: 'new', headline, q_lessons: 'Patience' });
    const member = await imported(one);
    await edit(member, { q_nerves: 'Written here' });
    expect(await update(one, { userstatus: 'approved' })).toEqual(applied);
    const approved = await stored(one);
    expect(approved).toMatchObject({
      userstatus: 'approved',
      pending: { headline },
      approved_answers: { q_lessons: 'Patience' },
      flags: { headline: ['email'] },
    });
    expect(approved.fields).not.toHaveProperty('headline');
    expect(approved.approved_answers).not.toHaveProperty('q_nerves');
    await decide(member, 'reject');
    await update(one, { smoking: 20 });
    expect((await stored(one)).userstatus).toBe('rejected');
    await update(one, { userstatus: 'new', date_registered: '2024-05-06' });
    expect(await stored(one)).toMatchObject({ userstatus: 'new', joined: new Date('2024-05-06') });
  });

  it('moves a member as a whole, and changes both ages', async () => {
    const nowhere = { city: null, state: null, latitude: null, longitude: null };
    const one = line({ ...nowhere, agefrom: 30, ageto: 40 });
    const member = await imported(one);
    await edit(member, { country: 'DE', city: 'Berlin', agefrom: 45, ageto: 50 });
    await update(one, { zip: '02108', ageto: 42 });
    const { fields } = await stored(one);
    expect(fields).toMatchObject({ country: 'US', city: 'Boston', state: 'Massachusetts', zip: '02108' });
    expect(fields['longitude']).toBeCloseTo(-71, 0);
    expect(fields).toMatchObject({ agefrom: 30, ageto: 42 });
    await update(one, { country: 'DE', city: 'Nowhereville', zip: null });
    const { country, city, state, zip, latitude } = (await stored(one)).fields;
    expect({ country, city, state, zip, latitude }).toEqual({ country: 'DE', city: 'Nowhereville' });
  });

  it('names the parameters that it does not change, once', async () => {
    const one = line();
    const member = await imported(one);
    const before = await stored(one);
    const others = {
      username: 'Another1',
      email: 'another@example.org',
      password_hash: `$2b$04$${'a'.repeat(53)}`,
      deactivated: true,
      affiliateid: 'partner',
      last_seen: '2026-02-03',
    };
    const ignored = ['affiliateid', 'deactivated', 'email', 'password_hash', 'username'];
    expect(await update(one, others)).toEqual({ changed: false, ignored });
    expect(await update(one)).toEqual(nothing);
    const { fields, deactivated, presence } = await stored(one);
    expect([fields, deactivated, presence]).toEqual([before.fields, false, before.presence]);
    expect(service.auth.accounts.get(member.memberId)?.email).not.toBe(others.email);
  });

  it('corrects gender and date of birth without using up the changes of the member', async () => {
    const one = line();
    const member = await imported(one);
    await update(one, { gender: 'Male', date_of_birth: '1991-02-04' });
    await update(one, { gender: 'Female', date_of_birth: '1991-02-05' });
    expect((await stored(one)).fields).toMatchObject({ gender: 'Female', date_of_birth: '1991-02-05' });
    await edit(member, { gender: 'Male', date_of_birth: '02/03/1991' });
  });

  it('leaves a deleted profile to its erasure', async () => {
    const one = line({ height: 170 });
    const member = await imported(one);
    await member.delete('/members/self').expect(200);
    const before = await stored(one);
    expect(before.erase_at).toBeInstanceOf(Date);
    expect(await update(one, { height: 180 })).toEqual({ changed: false, ignored: ['height'] });
    expect(await stored(one)).toEqual(before);
    // Back within the 30 days, the member gets the change.
    await service.internal('/internal/members/reactivate', { member_id: one.member_id }).expect(200);
    expect(await update(one)).toEqual(applied);
  });

  it('of a member who was not imported records the line, and names what differs', async () => {
    const one = line({ ...manual, height: 170 });
    const member = await imported(one);
    // As if the member had registered here.
    await service.context.connection
      .collection('members')
      .updateOne({ member_id: one.member_id }, { $unset: { import_digests: 1 } });
    await edit(member, { headline: 'Waits for a review', smoking: 20, searchable: false });
    await decide(member, 'reject');
    const before = await stored(one);
    // Nobody knows which parameters changed, so that the line is only recorded, and what differs is named.
    const changes = { searchable: true, height: 180, userstatus: 'new' };
    expect(await update(one, changes)).toEqual({
      changed: false,
      ignored: ['height', 'searchable', 'smoking'],
    });
    const { fields, pending, userstatus } = await stored(one);
    expect({ fields, pending, userstatus }).toEqual({
      fields: before.fields,
      pending: { headline: 'Waits for a review' },
      userstatus: 'rejected',
    });
    expect(await update(one, { height: 190 })).toEqual(applied);
    expect((await stored(one)).fields).toMatchObject({ height: 190, smoking: 20, searchable: false });
  });
});
