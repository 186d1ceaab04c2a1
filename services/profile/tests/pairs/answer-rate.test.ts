import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { redisKeys } from '@covalence/contract/redis-keys';
import { answerRateOf, answersIn } from '../../src/pairs/answer-rate.ts';
import { countAnswerRates } from '../../src/pairs/count-answer-rates.ts';
import { act, type PairAction } from '../../src/pairs/pair-machine.ts';
import { strangers, type Sides } from '../../src/pairs/pair.ts';
import { startService, type TestMember, type ServiceUnderTest } from '../harness.ts';

const dayMs = 86_400_000;
const flip = ({ mine, theirs, ...rest }: Sides): Sides => ({ mine: theirs, theirs: mine, ...rest });
const many = (count: number, isAnswered: boolean) => Array.from({ length: count }, () => isAnswered);

describe('the rate', () => {
  it('is neutral without advances, and few change nothing', () => {
    const few = [[], [false], [true], many(4, false), many(4, true)];
    expect(few.map(answerRateOf)).toEqual([0.5, 0.5, 0.5, 0.5, 0.5]);
  });

  it('falls with what is ignored, and rises with what is answered', () => {
    expect([8, 60].map((count) => answerRateOf(many(count, false)))).toEqual([0.25, 0]);
    expect([8, 60].map((count) => answerRateOf(many(count, true)))).toEqual([0.75, 1]);
  });

  it('is no better for a member who answers everything than for one who answers most', () => {
    expect(answerRateOf([...many(80, true), ...many(20, false)])).toBe(answerRateOf(many(100, true)));
  });
});

describe('what counts', () => {
  const start = Date.parse('2026-01-01T00:00:00Z');
  const isBetween = { from: new Date(start), to: new Date(start + dayMs) };
  const play = (moves: string): Sides =>
    moves.split(' ').reduce((sides, move, index) => {
      const [who, action] = move.split(':') as ['me' | 'them', PairAction];
      const at = new Date(start + index * 1_000);
      return who === 'me' ? act(sides, action, at) : flip(act(flip(sides), action, at));
    }, strangers);

  it.each([
    ['an ignored like', 'them:like', [false]],
    ['a like that is returned', 'them:like me:like', [true]],
    ['a like that is declined', 'them:like me:decline', [true]],
    ['a like that is passed', 'them:like me:pass', [true]],
    ['a like of somebody who was passed', 'me:pass them:like', [true]],
    ['a connection that ended', 'them:like me:like me:unlike', [true]],
    ['a like that was withdrawn', 'them:like them:unlike', []],
    ['a like that answers one of the member', 'me:like them:like', []],
    ['an ignored message', 'them:message', [false]],
    ['an answered message', 'them:message me:message', [true]],
    ['a message that answers one of the member', 'me:message them:message', []],
    ['a message of a connection', 'me:like them:like them:message', [false]],
    ['a like and a message', 'them:like me:like them:message', [true, false]],
    ['a like of somebody whom the member blocks', 'them:like them:message me:block', []],
    ['a message of somebody whom the member reports', 'them:message me:report', []],
    ['a like that was answered and then reported', 'them:like me:like me:message them:report', [false]],
    ['a view', 'them:view', []],
  ])('is known of %s', (_name, moves, answers) => {
    expect(answersIn(play(moves), isBetween)).toEqual(answers);
  });

  it('is what came within the period', () => {
    const later = { from: new Date(start + 1), to: isBetween.to };
    expect(answersIn(play('them:like'), later)).toEqual([]);
    expect(answersIn(play('them:like'), { from: new Date(start - dayMs), to: new Date(start - 1) })).toEqual(
      [],
    );
  });
});

describe('the job', () => {
  let service: ServiceUnderTest;
  let men: TestMember[];
  let attentive: TestMember;
  let silent: TestMember;
  let scammer: TestMember;
  let guarded: TestMember;
  const women = () => [attentive, silent, scammer, guarded];

  const projections = async (): Promise<{ answer_rate: number; version: number }[]> => {
    const { body } = await service.internal('/internal/projections', { ids: women().map(({ id }) => id) });
    return body.projections;
  };
  const rates = async () => (await projections()).map(({ answer_rate }) => answer_rate);
  /** A round of the job while every woman is there. */
  const count = async () => {
    const { config, redis, clock } = service.context;
    const seen = women().flatMap(({ id }) => [clock().getTime(), String(id)]);
    await redis.zadd(redisKeys.seen(config.NAMESPACE), ...seen);
    await expect(countAnswerRates(service.context)).resolves.toBe(0);
    return rates();
  };

  beforeAll(async () => {
    service = await startService('answer-rate');
    const woman = () => service.register({ gender: 'Female', genderpreference: 'Male' });
    [attentive, silent, scammer, guarded] = await Promise.all([woman(), woman(), woman(), woman()]);
    men = await Promise.all(Array.from({ length: 12 }, () => service.register()));
    for (const man of men)
      await Promise.all(women().map(({ id }) => man.post('/like', { profileid: id }).expect(200)));
    for (const [index, man] of men.entries()) {
      const profileid = man.id;
      await attentive.post(index % 3 ? '/pass' : '/like', { profileid }).expect(200);
      await scammer.post('/like', { profileid }).expect(200);
      if (index % 3) await guarded.post(index % 2 ? '/block' : '/report', { profileid }).expect(200);
      if (index % 2) await man.post('/report', { profileid: scammer.id }).expect(200);
    }
  });
  afterAll(() => service.close());

  it('tells nothing of an advance within a week, and writes once a week', async () => {
    await expect(count()).resolves.toEqual([0.5, 0.5, 0.5, 0.5]);
    const written = await projections();
    service.advance(6 * dayMs);
    await count();
    await expect(projections()).resolves.toEqual(written);
  });

  it('raises members who answer, not those whose answers are reported, and no defense lowers', async () => {
    service.advance(2 * dayMs);
    await expect(count()).resolves.toEqual([0.75, 0.25, 0.5, 0.5]);
  });

  it('shows the rate to no member', async () => {
    const [man] = men;
    const shown = [
      await man?.get(`/users/${attentive.id}`),
      await attentive.get('/users/self'),
      await man?.get('/members/self/activity/likedme'),
    ];
    expect(shown.map((answer) => answer?.status)).toEqual([200, 200, 200]);
    for (const answer of shown) expect(JSON.stringify(answer?.body)).not.toMatch(/answering|answer_rate/);
  });

  it('does not count advances of members who were suspended', async () => {
    for (const { id } of men.slice(2)) {
      await service.context.members.store.change(id, () => ({ suspended: true }));
    }
    service.advance(8 * dayMs);
    await expect(count()).resolves.toEqual([0.5, 0.5, 0.5, 0.5]);
    for (const { id } of men.slice(2)) {
      await service.context.members.store.change(id, () => ({ suspended: false }));
    }
  });

  it('recovers when the member answers late, and forgets after two months', async () => {
    service.advance(8 * dayMs);
    await expect(count()).resolves.toMatchObject([0.75, 0.25, 0.5, 0.5]);
    for (const { id } of men) await silent.post('/pass', { profileid: id }).expect(200);
    service.advance(8 * dayMs);
    await expect(count()).resolves.toMatchObject([0.75, 0.75, 0.5, 0.5]);
    service.advance(60 * dayMs);
    await expect(count()).resolves.toEqual([0.5, 0.5, 0.5, 0.5]);
  });
});
