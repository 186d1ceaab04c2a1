import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService, type TestMember, type ServiceUnderTest } from '../harness.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService('initial-like');
});
afterAll(() => service.close());

const couple = () =>
  Promise.all([service.register(), service.register({ gender: 'Female', genderpreference: 'Male' })]);

const recordsFor = (viewer: TestMember, other: TestMember, related?: readonly number[]) =>
  service.internal('/internal/records', { viewer: viewer.id, ids: [other.id], related }).expect(200);

const createdIn = async (viewer: TestMember, other: TestMember) => {
  const { body } = await recordsFor(viewer, other, [other.id]);
  return body.records[0].covalencedatecreated;
};

const step = async (by: TestMember, path: string, to: TestMember) => {
  service.advance(60_000);
  await by.post(path, { profileid: to.id }).expect(200);
};

describe('covalencedatecreated', () => {
  it.each([
    ['the initial like is withdrawn', '/unlike'],
    ['the member who made the initial like declines the answer', '/decline'],
  ])('stays the time of the initial like when %s', async (_name, path) => {
    const [adam, eve] = await couple();
    await step(adam, '/like', eve);
    const created = await createdIn(adam, eve);
    await step(eve, '/like', adam);
    await step(adam, path, eve);
    expect([await createdIn(adam, eve), await createdIn(eve, adam)]).toEqual([created, created]);
    await step(adam, '/like', eve);
    expect([await createdIn(adam, eve), await createdIn(eve, adam)]).toEqual([created, created]);
  });

  it('is looked up for members whom search names as related, and for all where it names none', async () => {
    const [adam, eve] = await couple();
    await step(adam, '/like', eve);
    const likeIn = async (related?: readonly number[]) =>
      (await recordsFor(eve, adam, related)).body.records[0].covalence;
    expect([await likeIn([adam.id]), await likeIn(), await likeIn([])]).toEqual([
      'likedme',
      'likedme',
      'none',
    ]);
  });

  it('is null when no like is left, and the next like begins anew', async () => {
    const [adam, eve] = await couple();
    await step(adam, '/like', eve);
    const created = await createdIn(adam, eve);
    await step(adam, '/unlike', eve);
    expect(await createdIn(adam, eve)).toBeNull();
    await step(eve, '/like', adam);
    expect(Date.parse(await createdIn(adam, eve))).toBeGreaterThan(Date.parse(created) + 60_000);
  });
});
