import { runMigrateCommand } from '@covalence/migrations/migrate-command';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { claimRestWithOneI, claimWithOneI } from '../../src/migrations/one-i.ts';
import { startAuth, type AuthUnderTest } from '../harness.ts';
import { destination } from '../support/browser.ts';
import type { TestMember } from '../support/people.ts';

let auth: AuthUnderTest;
beforeAll(async () => {
  auth = await startAuth('one-i');
});
afterAll(() => auth.close());

const signsIn = async (login: string, { password }: Pick<TestMember, 'password'>) => {
  const browser = auth.browser();
  const answer = await browser.submit(await browser.begin(auth.client, { siteid: '1' }), { login, password });
  return answer.status === 303 && destination(answer).searchParams.has('code');
};
const taken = async (username: string) =>
  (await auth.internal('/internal/accounts/check', { siteid: 1, password_minimum: 8, username })).body;

describe('a name with a dotted or a dotless i', () => {
  it.each([
    ['Işık', ['Işık', 'ışık', 'IŞIK', 'işik']],
    ['irem', ['irem', 'İrem', 'IREM', 'İREM']],
    ['İlker', ['İlker', 'ilker', 'ILKER', 'I\u0307lker']],
  ])('signs in however it is typed, and is one name: %s', async (username, logins) => {
    const member = await auth.addMember({ username });
    for (const login of logins) {
      expect([login, await signsIn(login, member)]).toEqual([login, true]);
      expect([login, await taken(login)]).toEqual([login, { failcode: [10101] }]);
    }
  });
});

const claims = () => auth.context.mongo.collection<{ _id: string; member_id: string }>('claims');

/** A member as the version before claimed the name. */
const addAsBefore = async (username: string) => {
  const member = await auth.addMember({ username: `${username.codePointAt(0)}x` });
  const { member_id } = member;
  await claims().deleteMany({ member_id, _id: /^1:username:/ });
  await claims().insertOne({ _id: `1:username:${username.toLowerCase()}`, member_id });
  await auth.context.mongo
    .collection<{ _id: string }>('accounts')
    .updateOne({ _id: member_id }, { $set: { username } });
  return member;
};
const migrate = async (command: string) => {
  const said: string[] = [];
  const options = {
    connection: auth.context.mongo,
    migrations: [claimWithOneI, claimRestWithOneI],
    print: (line: string) => void said.push(line),
  };
  expect(await runMigrateCommand(command, options)).toBe(0);
  return said.join('\n');
};

describe('names from before', () => {
  it('sign in once they were migrated, also those written during the upgrade', async () => {
    const first = await addAsBefore('İbrahim');
    await migrate('up');
    expect([await signsIn('İbrahim', first), await signsIn('ibrahim', first)]).toEqual([true, true]);
    const second = await addAsBefore('ışıl');
    await migrate('finish');
    expect([await signsIn('ışıl', second), await signsIn('Işıl', second)]).toEqual([true, true]);
    expect(
      await claims()
        .find({ _id: /ı|i\u0307/ })
        .toArray(),
    ).toEqual([]);
  });

  it('stay those of who has them in other letters', async () => {
    const asli = await auth.addMember({ username: 'asli', password: 'another-harbour-42' });
    const second = await addAsBefore('aslı');
    await auth.context.mongo.collection('migrations').deleteMany({});
    expect(await migrate('finish')).toContain("claims: 1 are somebody else's in other letters");
    expect([await signsIn('aslı', asli), await signsIn('aslı', second)]).toEqual([true, false]);
    expect(await signsIn(second.email, second)).toBe(true);
  });
});
