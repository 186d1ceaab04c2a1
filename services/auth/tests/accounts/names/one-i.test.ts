import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { destination } from '../../support/browser.ts';
import type { TestMember } from '../../support/people.ts';

let auth: ServiceUnderTest;
beforeAll(async () => {
  auth = await startService('one-i');
});
afterAll(() => auth.close());

const signsIn = async (login: string, { password }: Pick<TestMember, 'password'>) => {
  const browser = auth.browser();
  const answer = await browser.submit(await browser.begin(auth.client, { siteid: '1' }), { login, password });
  return answer.status === 303 && destination(answer).searchParams.has('code');
};
const taken = async (username: string) =>
  (await auth.internal('/internal/accounts/check', { siteid: 1, password_minimum: 8, username })).body;

describe('a name with a dotted or dotless i', () => {
  it.each([
    ['Işık', ['Işık', 'ışık', 'IŞIK', 'işik']],
    ['irem', ['irem', 'İrem', 'IREM', 'İREM']],
    ['İlker', ['İlker', 'ilker', 'ILKER', 'I\u0307lker']],
  ])('signs in with either spelling, and is unique: %s', async (username, logins) => {
    const member = await auth.addMember({ username });
    for (const login of logins) {
      expect([login, await signsIn(login, member)]).toEqual([login, true]);
      expect([login, await taken(login)]).toEqual([login, { failcode: [10101] }]);
    }
  });
});
