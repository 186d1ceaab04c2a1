import { beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@covalence/testing/until';
import { as, male, registerMember } from '../support/members.ts';
import type { System } from '../support/system.ts';

/** The feed of two members through the gateway, and what search records of it. */
export function feedCases(system: () => System): void {
  describe('the feed', () => {
    let stack: System;
    beforeAll(() => {
      stack = system();
    });

    it('has members whom both may like, without those who were liked', async () => {
      // Nobody else is as old: a feed draws a hundred of those who are new.
      const answers = { smoking: 10, height: 206, dateofbirth: '02/03/1940' };
      const [eve, dan] = await Promise.all([
        registerMember(stack.url, stack.demo, answers),
        registerMember(stack.url, stack.demo, { ...male, ...answers }),
      ]);
      const own = as(stack.url, eve);
      await own.post('/members/self/criteria', { age: { from: 80 }, height: { from: 206 } }).expect(200);
      let searches = 0;
      await until('Dan in the index', async () => {
        const tall = { age: { from: 18 }, height: { from: 206 }, sortby: 'relevance' };
        const { body } = await own.post('/searches', tall).expect(200);
        searches += 1;
        return body.users[0]?.id === dan.id;
      });
      const recorded = async () => {
        const subject = { id: eve.id, member_id: String(eve.record['member_id']) };
        return (await stack.peer('search').exportMember(subject)).recorded_searches ?? [];
      };
      // A view that comes before its search is stored counts for none.
      await until('the recorded searches', async () => (await recorded()).length === searches);
      // Before the feed shows Dan: what it may have led to does not count for the search.
      await own.get(`/users/${dan.id}`).expect(200);
      await until('the view after the recorded search', async () =>
        (await recorded()).some(({ actions }) => actions.some(({ action }) => action === 'view')),
      );
      const found = async () => {
        const { body } = await own.get('/discover').expect(200);
        return (body as { users: { id: number; reasons: string[] }[] }).users;
      };
      expect((await found()).find(({ id }) => id === dan.id)?.reasons).toEqual(['smoking', 'height']);
      await own.post('/like', { profileid: dan.id }).expect(200);
      expect((await found()).map(({ id }) => id)).not.toContain(dan.id);
    });
  });
}
