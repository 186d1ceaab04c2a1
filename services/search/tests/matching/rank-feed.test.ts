import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { feedSize, rankFeed } from '../../src/matching/rank-feed.ts';

const chance = fc.double({ min: 0, max: 1, noNaN: true });
const anyCandidates = fc
  .array(
    fc.record({
      likes: chance,
      answers: chance,
      isNew: fc.boolean(),
      isOwed: fc.constant(false),
      draw: chance,
    }),
    { maxLength: 200 },
  )
  .map((some) => some.map((one, id) => ({ ...one, id })));
const anyPrices = fc.dictionary(fc.nat(200).map(String), fc.double({ min: -5, max: 5, noNaN: true }));

const rankOf = (
  candidates: readonly {
    id: number;
    likes: number;
    answers: number;
    isNew: boolean;
    isOwed: boolean;
    draw: number;
  }[],
  prices: ReadonlyMap<number, number> = new Map(),
) => rankFeed(candidates, prices, (id) => candidates.find((one) => one.id === id)?.draw ?? 0);

describe('the order of a feed', () => {
  it('has each candidate once, as many as a feed has', () => {
    fc.assert(
      fc.property(anyCandidates, anyPrices, (candidates, priceOf) => {
        const prices = new Map(Object.entries(priceOf).map(([id, price]) => [Number(id), price]));
        const list = rankOf(candidates, prices);
        expect(list).toHaveLength(Math.min(candidates.length, feedSize.members));
        expect(new Set(list).size).toBe(list.length);
        const known = new Set(candidates.map(({ id }) => id));
        expect(list.every((id) => known.has(id))).toBe(true);
      }),
    );
  });

  it('has others in the same order beside any new member', () => {
    fc.assert(
      fc.property(anyCandidates, (candidates) => {
        const isNew = new Set(candidates.filter((one) => one.isNew).map(({ id }) => id));
        const others = candidates.filter((one) => !one.isNew);
        const list = rankOf(candidates).filter((id) => !isNew.has(id));
        expect(list).toEqual(rankOf(others).slice(0, list.length));
      }),
    );
  });

  it('has new members in its first third, the best of them first, whatever is thought of others', () => {
    fc.assert(
      fc.property(anyCandidates, (candidates) => {
        const added = candidates.filter((one) => one.isNew);
        const others = candidates.length - added.length;
        const list = rankOf(candidates);
        const best = rankOf(added);
        const places = best.map((id) => list.indexOf(id));
        const most = Math.ceil(others / 3 + 0.5) + added.length;
        if (most > feedSize.members) return;
        expect(places.every((place) => place >= 0 && place < most)).toBe(true);
        expect(places).toEqual(places.toSorted((one, other) => one - other));
      }),
    );
  });

  it('has members who are owed a place in its first tenth, whatever their chances', () => {
    fc.assert(
      fc.property(anyCandidates, fc.array(fc.nat(200), { maxLength: 5 }), (all, owed) => {
        const isOwed = new Set(owed);
        const candidates = all.map((one) => ({ ...one, isNew: false, isOwed: isOwed.has(one.id) }));
        const list = rankOf(candidates);
        const due = candidates.filter((one) => one.isOwed);
        const most = Math.ceil((candidates.length - due.length) / 10 + 0.5) + due.length;
        for (const { id } of due) {
          expect(list).toContain(id);
          expect(list.indexOf(id)).toBeLessThan(most);
        }
      }),
    );
  });

  it('shows a new member three times as often in the first places as one of others like them', () => {
    const draws = 3_000;
    let first = 0;
    for (let turn = 0; turn < draws; turn += 1) {
      const candidates = Array.from({ length: 60 }, (_, id) => ({
        id,
        likes: 0.5,
        answers: 0.5,
        isNew: id === 0,
        isOwed: false,
        draw: id === 0 ? (turn + 0.5) / draws : id / 60,
      }));
      if (rankOf(candidates).indexOf(0) < 10) first += 1;
    }
    expect((first / draws) * 6).toBeCloseTo(3, 0);
  });
});
