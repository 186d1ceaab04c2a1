import { serviceAuthorization } from '@covalence/testing/service-tokens';
import { expect } from '@jest/globals';
import request from 'supertest';
import { createApp } from '../../src/app.ts';
import { startService } from '../harness.ts';
import { person } from '../person.ts';

/** Searchers of the sites 1 and 2, and who is found. */
export const [anna, berta, smoker, drinker, neither] = [1, 2, 10, 11, 12];

/** All of them. */
export const members = [
  person(anna, 'Female'),
  person(berta, 'Female', { siteid: 2 }),
  person(smoker, 'Male', { traits: { smoking: 10, drinking: 40 } }),
  person(drinker, 'Male', { traits: { smoking: 40, drinking: 10 } }),
  person(neither, 'Male', { traits: { smoking: 40, drinking: 40 } }),
];

/** The searcher's criteria. */
export const criteria = { age: { from: 30, to: 45 }, smoking: { value: 10 }, drinking: { value: 10 } };

/** The path of judgment sets. */
export const root = '/staff/search/judgment-sets';

/** The role on every site. */
export const everywhere = { '*': ['search'] };

/** The id of another rater, or of nothing. */
export const other = '01890a5d-ac96-774b-bcce-b302099a8058';

/** A set with one search. */
export interface MadeSet {
  readonly id: string;
  readonly search: string;
  readonly name: string;
}

/** The service with these members, of whose settings drinking counts most, and calls of the search team. */
export async function startJudgments(suite: string) {
  const service = await startService(suite, { members });
  const relevance = (smoking: number, drinking: number) => ({
    ...service.context.settings.active.ofFile,
    weights: { age: 1, smoking, drinking },
  });
  await service.publish({ relevance: relevance(1, 8) });
  const ask = async (
    path: string,
    body?: object,
    roles: Record<string, string[]> = everywhere,
    method?: 'delete',
  ) => {
    const { status, body: answer } = await service.asStaff(roles, root + path, body, method);
    return { status, body: answer };
  };
  const good = async (path: string, body?: object) => {
    const { status, body: answer } = await ask(path, body);
    expect([status, answer.fail, answer.problems]).toEqual([200, undefined, undefined]);
    return answer;
  };
  let sets = 0;
  return {
    ...service,
    relevance,
    ask,
    good,
    async newSet(): Promise<MadeSet> {
      sets += 1;
      const name = `set ${sets}`;
      const { id } = await good('', { siteid: 1, name });
      const added = await good(`/${id}/searches`, { name: 'anna in June', member: anna, criteria });
      return { id, search: added.id, name };
    },
    /** Grades results as the caller. */
    rate: ({ id, search }: MadeSet, grades: Record<number, number | null>) =>
      good(`/${id}/ratings`, {
        ratings: Object.entries(grades).map(([member, grade]) => ({ search, member: Number(member), grade })),
      }),
    /** Grades results as another rater. */
    rateAs: (rater: string, { id, search }: MadeSet, grades: [number, number][]) =>
      service.context.judgments.sets.rate(
        id,
        grades.map(([member, grade]) => ({ search, member, grade, rater, searcher: anna })),
      ),
    /** A call of profile about a member. */
    async internal(what: 'export' | 'erase', id: number) {
      const { status, body } = await request(createApp(service.context))
        .post(`/internal/members/${what}`)
        .set('Authorization', serviceAuthorization({ from: 'profile', to: 'search' }))
        .send({ id, member_id: other });
      expect(status).toBe(200);
      return body;
    },
  };
}

/** The service that a suite tests. */
export type JudgmentsUnderTest = Awaited<ReturnType<typeof startJudgments>>;
