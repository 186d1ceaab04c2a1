import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { answerByName } from '@covalence/contract/catalogue/answers';
import { criteria } from '@covalence/contract/catalogue/criteria';
import { learnTastes } from '../../src/discover/tastes.ts';
import { answers, eight, startFeed, tomorrow, type FeedUnderTest } from './feed-harness.ts';

describe('a feed by tastes', () => {
  let feed: FeedUnderTest;

  beforeAll(async () => {
    feed = await startFeed('tastes');
  });
  afterEach(() => feed.clear());
  afterAll(() => feed?.service.close());

  it('follows what the member liked and passed', async () => {
    const anna = await feed.woman();
    feed.choose(anna, await feed.men(...eight(30)), await feed.men(...eight(10)));
    const [disliked, liked] = await feed.men(answers(10), answers(30));
    expect(await feed.list(anna)).toEqual([liked, disliked]);
  });

  it('begins with members who like others like the caller, as the caller was on the first day', async () => {
    const anna = await feed.woman(answers(30));
    const [some, others] = [await feed.made('Female', ...eight(30)), await feed.made('Female', ...eight(10))];
    const [averse = 0, fond = 0] = await feed.men({}, {});
    feed.choose(fond, some, others);
    feed.choose(averse, others, some);
    for (const man of [averse, fond]) await feed.list(man);
    expect(await feed.list(anna)).toEqual([fond, averse]);
    await feed.change(anna, answers(10));
    await feed.wish(anna, { age: { from: 18, to: 98 } });
    expect(await feed.list(anna)).toEqual([fond, averse]);
  });

  it('never learns from answers that only their owner reads by default', () => {
    const coded = criteria.filter(({ field, codes }) => field && codes);
    const traits = (at: number) =>
      Object.fromEntries(coded.map(({ field = '', codes = [] }) => [field, codes.at(at) ?? '']));
    const tastes = Array.from({ length: coded.length }, (_, index) => {
      const one = coded[index];
      const only = (at: number) => ({ [one?.field ?? '']: traits(at)[one?.field ?? ''] ?? '' });
      return learnTastes(Array(9).fill(only(0)), Array(9).fill(only(-1))).map(({ field }) => field);
    }).flat();
    expect(new Set(tastes).size).toBeGreaterThan(50);
    const secret = ['race', 'religion', 'politics', 'i_religion', 'i_politics', 'income', 'a_abortion'];
    expect(tastes.filter((field) => secret.includes(field) || !answerByName(field))).toEqual([]);
    expect(tastes.filter((field) => answerByName(field)?.visibility === 'owner')).toEqual([]);
  });

  it.each([
    ['shows its owner only', 3, 'agora', 'drinking'],
    ['does not accept', 4, 'island', 'p_mood'],
  ])('never learns from answers that the site of the other %s', async (_reason, siteid, group, hidden) => {
    const anna = await feed.woman();
    const some = (code: number) =>
      Array.from({ length: 8 }, () => ({ siteid, group, traits: { smoking: code, [hidden]: code } }));
    feed.choose(anna, await feed.men(...some(30)), await feed.men(...some(10)));
    await feed.list(anna);
    const { body } = await feed.privacy('export', anna);
    const fields = (body.tastes as { field: string }[]).map(({ field }) => field);
    expect(new Set(fields)).toEqual(new Set(['smoking']));
  });

  it('forgets tastes when too few likes are left to learn from', async () => {
    const anna = await feed.woman();
    const [liked, passed] = [await feed.men(...eight(30)), await feed.men(...eight(10))];
    const tastes = async () => {
      await feed.list(anna);
      const { body } = await feed.privacy('export', anna);
      return body.tastes as object[];
    };
    feed.choose(anna, liked, passed);
    expect(await tastes()).toHaveLength(4);
    feed.choose(anna, liked.slice(0, 4), passed);
    feed.service.setNow(tomorrow);
    expect(await tastes()).toEqual([]);
  });
});
