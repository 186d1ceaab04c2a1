import { fuzzing } from '@covalence/testing/fuzzing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assert, constantFrom, property, string } from 'fast-check';
import { v7 } from 'uuid';
import { looksOf } from '../../../src/accounts/names/names.ts';
import { startService, type ServiceUnderTest } from '../../harness.ts';

// Names in Cyrillic letters that look like the Latin ones beside them.
const coco = '\u0441\u043e\u0441\u043e';
const abc = '\u0410\u0412\u0421';

describe('the appearance of a name', () => {
  it.each([
    ['coco', coco],
    ['abc', abc],
    ['NONA', '\u039d\u039f\u039d\u0391'],
    ['alice', '\u0251lice'],
    ['Bob', '\u0412\u041e\u0412'],
  ])('is the same for %s and its look-alike', (latin, other) => {
    const [plain, alike] = [looksOf(latin), looksOf(other)];
    expect([plain.plain, alike.plain]).toEqual([true, false]);
    expect(alike.skeletons).toContain(plain.skeletons[0]);
  });

  it('is the same for every encoding and case of a name', () => {
    const letter = constantFrom(...Array.from('abcmnorxyzABCIMOXZ019éßłşăΩσжяСопроАВ'));
    assert(
      property(string({ unit: letter, minLength: 1, maxLength: 12 }), (name) => {
        const { plain, skeletons } = looksOf(name);
        expect(looksOf(name.normalize('NFD'))).toEqual({ plain, skeletons });
        expect(skeletons).toContain(looksOf(name.toLowerCase()).skeletons[0]);
      }),
      fuzzing(),
    );
  });

  it.each(['modem', 'José', 'Straße', 'Łukasz', 'Ștefan', 'Nguyễn'])('%s is a plain Latin name', (name) =>
    expect(looksOf(name).plain).toBe(true),
  );
});

describe('a username that looks like another', () => {
  let auth: ServiceUnderTest;
  beforeAll(async () => {
    auth = await startService('lookalikes');
  });
  afterAll(() => auth.close());

  let count = 0;
  const account = (username: string) => {
    count += 1;
    return { member_id: v7(), id: 5_000 + count, siteid: 1, username, email: `alike${count}@mail.example` };
  };
  const reserve = (username: string, siteid = 1) =>
    auth.internal('/internal/accounts/reserve', {
      ...account(username),
      siteid,
      password: 'violet-harbour-42',
      password_minimum: 8,
    });
  const statusOf = async (username: string, siteid = 1) => (await reserve(username, siteid)).status;
  const check = async (username: string) =>
    (await auth.internal('/internal/accounts/check', { siteid: 1, password_minimum: 8, username })).body;
  const taken = { fail: 'Invalid Argument', failcode: [10101] };

  it('is taken when the other one is plain Latin, on its site only', async () => {
    await auth.addMember({ username: 'Coco' });
    expect((await reserve(coco)).body).toEqual(taken);
    expect((await reserve(coco.toUpperCase())).body).toEqual(taken);
    expect(await check(coco)).toEqual({ failcode: [10101] });
    expect(await statusOf(coco, 2)).toBe(200);
  });

  it('is taken when the other one is of another script too', async () => {
    expect(await statusOf('\u041d\u0410\u041d')).toBe(200);
    // Greek letters for the Cyrillic ones.
    expect((await reserve('\u0397\u0391\u0397')).body).toEqual(taken);
  });

  it('is free when it is plain Latin itself', async () => {
    expect([await statusOf('modern'), await statusOf('modem')]).toEqual([200, 200]);
    expect([await statusOf(abc), await statusOf('abc')]).toEqual([200, 200]);
  });

  it('is claimed by one of many concurrent requests', async () => {
    const names = ['\u0441\u0430\u0441\u0430', '\u0421\u0410\u0421\u0410', 'c\u0251c\u0251'];
    const answers = await Promise.all([...names, ...names].map((name) => statusOf(name)));
    expect(answers.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
    expect(answers.every((status) => status === 200 || status === 403)).toBe(true);
  });

  it('is refused to other members, and released when its owner changes the username', async () => {
    const [holder, member] = [await auth.addMember({ username: 'popcop' }), await auth.addMember()];
    const alike = '\u0440\u043e\u0440\u0441\u043e\u0440';
    const claim = (memberId: string, username: string) =>
      auth.internal('/internal/accounts/claim-username', { member_id: memberId, username });
    const apply = (memberId: string, username: string) =>
      auth.internal('/internal/accounts/apply-username', { member_id: memberId, username });
    expect((await claim(member.member_id, alike)).body).toEqual(taken);
    // Their own name in other letters is nobody else's.
    await claim(holder.member_id, alike).expect(200, {});
    await apply(holder.member_id, alike).expect(200, {});
    expect((await reserve('\u0420\u043e\u0440\u0441\u043e\u0440')).body).toEqual(taken);
    await apply(holder.member_id, 'anothername').expect(200, {});
    await claim(member.member_id, alike).expect(200, {});
  });

  it('is refused in an import, even when the same list contains the other one', async () => {
    const [latin, alike, free] = [account('xoxo'), account('\u0445\u043e\u0445\u043e'), account('Ελένη')];
    const { body } = await auth
      .internal('/internal/accounts/import', { accounts: [alike, latin, free] })
      .expect(200);
    expect(body.refused).toEqual([{ member_id: alike.member_id, failcode: [10101] }]);
    expect(body.accounts).toHaveLength(2);
    expect((await reserve('\u0395\u03bb\u03ad\u03bd\u03b7')).body).toEqual(taken);
  });
});
