import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mostKept } from '../../src/judgments/judgment-set-store.ts';
import { staffId } from '../harness.ts';
import {
  anna,
  berta,
  criteria,
  drinker,
  everywhere,
  neither,
  other,
  smoker,
  startJudgments,
  type JudgmentsUnderTest,
} from './judgments-harness.ts';

let service: JudgmentsUnderTest;
beforeAll(async () => {
  service = await startJudgments('judgmentsets');
});
afterAll(() => service?.close());
afterEach(() => {
  jest.restoreAllMocks();
});

const listed = async (roles: Record<string, string[]>) =>
  (await service.ask('', undefined, roles)).body.sets.map((one: { id: string }) => one.id);

describe('judgment sets', () => {
  it('have searches, graded by several raters, and say how far these agree', async () => {
    const recorded = jest.spyOn(service.context.security, 'record');
    const set = await service.newSet();
    const facts = { staff: staffId, memberNumber: anna, reason: 'searched_as_member' };
    expect(recorded.mock.calls).toEqual([['staff_decision', facts]]);
    await service.rate(set, { [smoker]: 2, [drinker]: 0, [neither]: 1 });
    expect((await service.good(`/${set.id}`)).agreement).toBeNull();
    await service.rate(set, { [smoker]: 3, [neither]: null });
    await service.rateAs(other, set, [
      [smoker, 3],
      [drinker, 1],
    ]);
    const { agreement, searches, ...rest } = await service.good(`/${set.id}`);
    expect(rest).toMatchObject({ id: set.id, siteid: 1, name: set.name, at: expect.any(String) });
    expect(searches).toEqual([
      {
        id: set.search,
        name: 'anna in June',
        member: anna,
        criteria,
        sortby: 'relevance',
        results: [
          { member: smoker, ratings: expect.arrayContaining([{ rater: staffId, grade: 3, mine: true }]) },
          { member: drinker, ratings: expect.arrayContaining([{ rater: other, grade: 1, mine: false }]) },
        ],
      },
    ]);
    // Both gave 3 to one; 0 and 1 to the other. Squared distances: 1 from 0 to 1, 6.25 from 0 to 3, 2.25 from 1 to 3.
    expect(agreement).toBeCloseTo(1 - (3 * 1) / (1 + 2 * 6.25 + 2 * 2.25), 9);
  });

  it('are listed for the sites on which the role counts', async () => {
    const { id } = await service.good('', { siteid: 2, name: 'of two' });
    expect(await listed({ 2: ['search'] })).toEqual([id]);
    expect(await listed({ 1: ['search'] })).not.toContain(id);
    expect(await listed(everywhere)).toContain(id);
    expect(await listed({ 2: ['admin'] })).toEqual([id]);
  });

  it('are for the search team of their site only', async () => {
    const set = await service.newSet();
    const rating = { search: set.search, member: smoker, grade: 1 };
    const calls: [string, object?][] = [
      [`/${set.id}`],
      [`/${set.id}/searches`, { name: 'x', member: anna, criteria }],
      [`/${set.id}/ratings`, { ratings: [rating] }],
      [`/${set.id}/export?format=trec`],
      [`/${set.id}/import`, { format: 'trec', content: '' }],
      [`/${set.id}/runs`],
      [`/${set.id}/runs`, { note: '' }],
      [`/${set.id}/runs/${other}`],
    ];
    const others: Record<string, string[]>[] = [
      { 2: ['search'] },
      { 1: ['support', 'moderator', 'operator'] },
    ];
    for (const roles of others) {
      for (const [path, body] of calls)
        expect([path, (await service.ask(path, body, roles)).body]).toEqual([path, { fail: 'Forbidden' }]);
    }
    const create = { siteid: 1, name: 'not mine' };
    expect((await service.ask('', create, { 2: ['search'] })).body).toEqual({ fail: 'Forbidden' });
    expect((await service.ask(`/${set.id}`, undefined, { 1: ['search'] })).status).toBe(200);
    // An account without access to other sites cannot find out whether a set exists there.
    expect((await service.ask(`/${other}`, undefined, { 1: ['search'] })).status).toBe(403);
    expect((await service.ask(`/${other}`)).status).toBe(404);
  });

  it('refuse what they cannot keep', async () => {
    const set = await service.newSet();
    const add = (change: object) =>
      service.ask(`/${set.id}/searches`, { name: 'x', member: anna, criteria, ...change });
    expect((await add({ name: 'anna in June' })).status).toBe(409);
    expect((await add({ member: berta })).status).toBe(404);
    expect((await add({ member: 77 })).status).toBe(404);
    expect((await add({ criteria: { smoking: { value: 11 } } })).body.failcode).toEqual([31_012, 31_009]);
    const refused = [
      await add({ criteria: [] }),
      await add({ criteria: { ...criteria, keywords: { value: 'x'.repeat(11_000) } } }),
      await add({ sortby: 'random' }),
      ...(await Promise.all(
        ['=1+1', 'a_b', ' a', 'a  b', 'a\nb', '', 'x'.repeat(101)].map((name) => add({ name })),
      )),
      await service.ask(`/${set.id}/ratings`, { ratings: [] }),
      await service.ask(`/${set.id}/ratings`, { ratings: [{ search: set.search, member: 1, grade: 4 }] }),
      await service.ask(`/${set.id}/runs`, { settings: { mapping: {} } }),
      await service.ask('', { siteid: 1, name: 'x', more: 1 }),
      await service.ask('/x'),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
    expect((await service.ask('', { siteid: 1, name: set.name })).status).toBe(409);
    expect((await service.ask('', { siteid: 99, name: 'x' })).status).toBe(404);
    const unknown = { search: other, member: smoker, grade: 1 };
    expect((await service.ask(`/${set.id}/ratings`, { ratings: [unknown] })).status).toBe(404);
  });

  it('have bounds', async () => {
    const { sets } = service.context.judgments;
    const set = await service.newSet();
    const many = Array.from({ length: mostKept.ratings - 1 }, (_, at): [number, number] => [at + 100, 1]);
    expect(await service.rateAs('file 1', set, many)).toBe(true);
    await service.rate(set, { [smoker]: 1 });
    const { status, body } = await service.ask(`/${set.id}/ratings`, {
      ratings: [{ search: set.search, member: drinker, grade: 1 }],
    });
    expect([status, body.problems[0].problem]).toEqual([403, 'a set has at most 20000 grades']);
    // Known grades can be corrected and deleted, also those of a whole file.
    expect(await service.rateAs('file 1', set, many)).toBe(true);
    await service.rate(set, { [smoker]: 2 });
    await service.rate(set, { [smoker]: null, [drinker]: 1 });
    const search = { member: anna, criteria, sortby: 'relevance' } as const;
    for (let at = 1; at < mostKept.searches; at += 1)
      expect(await sets.addSearch(set.id, { name: `s${at}`, ...search })).toBeDefined();
    expect((await service.ask(`/${set.id}/searches`, { name: 'x', member: anna, criteria })).status).toBe(
      409,
    );
    for (let at = 0; at < mostKept.sets; at += 1) await sets.create(3, `s${at}`);
    expect((await service.ask('', { siteid: 3, name: 'x' })).status).toBe(409);
  });

  it('are deleted with everything in them, searches with their grades', async () => {
    const set = await service.newSet();
    await service.rate(set, { [smoker]: 3 });
    await service.good(`/${set.id}/runs`, {});
    const recorded = jest.spyOn(service.context.security, 'record');
    const remove = async (path: string) =>
      (await service.ask(`/${set.id}${path}`, undefined, everywhere, 'delete')).status;
    expect(await remove(`/searches/${set.search}`)).toBe(200);
    expect((await service.good(`/${set.id}`)).searches).toEqual([]);
    expect(await service.context.judgments.sets.ratings(set.id)).toEqual([]);
    expect([await remove(''), await remove('')]).toEqual([200, 404]);
    expect(recorded.mock.calls).toEqual([
      ['staff_decision', { staff: staffId, reason: 'judgments_deleted' }],
    ]);
    expect(await service.context.judgments.runs.list(set.id)).toEqual([]);
  });
});

describe('files of grades', () => {
  it('come back as they went, as grades of the raters or of the caller', async () => {
    const [set, copy] = [await service.newSet(), await service.newSet()];
    await service.rate(set, { [smoker]: 3, [drinker]: 1 });
    await service.rateAs(other, set, [[smoker, 2]]);
    const recorded = jest.spyOn(service.context.security, 'record');
    const { content } = await service.good(`/${set.id}/export?format=quepid`);
    expect(content.split('\n')[0]).toBe('query,docid,rater 1,rater 2');
    expect(content).not.toContain(other);
    const imported = await service.good(`/${copy.id}/import`, { format: 'quepid', content });
    expect(imported).toEqual({ stored: 3, left_out: 0 });
    const [{ results }] = (await service.good(`/${copy.id}`)).searches;
    expect(results).toContainEqual({
      member: smoker,
      ratings: [
        { rater: 'file 1', grade: 3, mine: false },
        { rater: 'file 2', grade: 2, mine: false },
      ],
    });
    const qrels = (await service.good(`/${set.id}/export?format=trec`)).content;
    expect(qrels.split('\n').sort()).toEqual(['', `anna_in_June 0 10 3`, `anna_in_June 0 11 1`]);
    await service.good(`/${copy.id}/import`, { format: 'trec', content: qrels });
    const ratings = await service.context.judgments.sets.ratings(copy.id);
    expect(ratings.filter(({ rater }) => rater === staffId)).toHaveLength(2);
    expect(recorded.mock.calls.map(([, facts]) => facts)).toEqual(
      ['exported', 'imported', 'exported', 'imported'].map((what) => ({
        staff: staffId,
        reason: `judgments_${what}`,
      })),
    );
  });

  it('say what is wrong with them, and store nothing then', async () => {
    const set = await service.newSet();
    const send = (content: string) => service.ask(`/${set.id}/import`, { format: 'trec', content });
    const { body } = await send('anna_in_June 0 10 3\nberta 0 10 3\n');
    expect(body.problems).toEqual([{ path: 'berta', problem: 'is no search of the set' }]);
    expect((await send('anna_in_June 0 10 9')).body.problems).toEqual([
      { path: 'line 1', problem: 'must be a search, a member and grades from 0 to 3' },
    ]);
    expect(await service.context.judgments.sets.ratings(set.id)).toEqual([]);
    // An old file does not bring back the number of an erased member.
    expect((await send('anna_in_June 0 10 3\nanna_in_June 0 777 3\n')).body).toEqual({
      stored: 1,
      left_out: 1,
    });
    expect((await service.ask(`/${set.id}/export?format=xml`)).status).toBe(403);
    expect((await service.ask(`/${set.id}/export?format=trec&run=${other}`)).status).toBe(404);
  });
});
