import { describe, expect, it } from '@jest/globals';
import { until } from '@covalence/testing/until';
import { as, male, registerMember, type TestMember } from '../support/members.ts';
import type { System } from '../support/system.ts';
import { tokensBySignIn } from '../support/sign-in.ts';

/** Nobody else is as tall, so that a search has them first. */
const tall = { height: 207 };

/** Tests of a banned member who returns. */
export function banCases(system: () => System): void {
  describe('A banned member who registers again', () => {
    it('is hidden in the search index, and exports what everybody exports', async () => {
      const { url, demo } = system();
      const office = as(url, { tokens: await tokensBySignIn(url, demo.staff, demo.staff) });
      const grifter = await registerMember(url, demo, { email: 'grifter@mail.example' });
      const ban = { ban: true, reason: 'Asked for money' };
      await office.post(`/staff/members/${grifter.id}/suspend`, ban).expect(200);
      const dirty = await registerMember(url, demo, { ...tall, email: 'grifter+again@mail.example' });
      const clean = await registerMember(url, demo, tall);
      const viewer = as(url, await registerMember(url, demo, male));
      const found = async (): Promise<number[]> => {
        const wanted = { age: { from: 18 }, height: { from: 207 }, sortby: 'relevance' };
        const { body } = await viewer.post('/searches', wanted).expect(200);
        return body.users.map(({ id }: { id: number }) => id);
      };
      await until('the later one is indexed', async () => (await found()).includes(clean.id));
      expect(await found()).not.toContain(dirty.id);
      const archiveOf = async (member: TestMember) =>
        (await as(url, member).get('/members/self/export').expect(200)).body;
      const [seen, expected] = [await archiveOf(dirty), await archiveOf(clean)];
      expect(seen.index).toMatchObject({ id: dirty.id, visible: true, photo: false });
      expect(Object.keys(seen.index)).toEqual(Object.keys(expected.index));
      expect([seen.feed, seen.matching]).toEqual([expected.feed, expected.matching]);
    });
  });
}
