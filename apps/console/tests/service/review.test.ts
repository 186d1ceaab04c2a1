import { describe, expect, it } from '@jest/globals';
import type { Entry } from '../../src/service/queue-queries.ts';
import { keyOf } from '../../src/service/keys.ts';
import { afterChange, isBanned, unitsOf, wantsMore, type Work } from '../../src/service/review.ts';

const photos = (id: number, ...of: number[]) =>
  ({
    kind: 'photo',
    id,
    photos: of.map((photo) => ({ id: photo, revision: `r${photo}` })),
  }) as unknown as Entry;
const keys = ({ units }: Work) => units.map(({ key }) => key);
const start: Work = { units: [], isDry: false };

describe('the work at hand', () => {
  it('has a unit for each photo and text that waits, and one for a profile', () => {
    expect(unitsOf(photos(1, 10, 11)).map(({ id, revision }) => [id, revision])).toEqual([
      ['10', 'r10'],
      ['11', 'r11'],
    ]);
    const texts = [{ field: 'headline', revision: 'a' }];
    const text = { kind: 'text', id: 2, texts_to_review: texts } as unknown as Entry;
    expect(unitsOf(text)).toMatchObject([{ key: 'text 2 headline', id: '2', revision: 'a' }]);
    const profile = { kind: 'profile', id: 3, revision: 'b', photos: [{ id: 9 }] } as unknown as Entry;
    expect(unitsOf(profile)).toMatchObject([{ id: '3', revision: 'b' }]);
  });

  it('is known to match the ban list by the address or device of a profile, and by each photo', () => {
    const flags = { email: ['banned'] };
    for (const each of [flags, { device: ['banned'] }]) {
      const profile = { kind: 'profile', id: 3, revision: 'b', flags: each } as unknown as Entry;
      expect(unitsOf(profile).map(isBanned)).toEqual([true]);
    }
    const [one, other] = photos(1, 10, 11).photos ?? [];
    const entry = {
      ...photos(1),
      flags,
      photos: [
        { ...one, flagged: true },
        { ...other, flagged: false },
      ],
    };
    expect(unitsOf(entry as Entry).map(isBanned)).toEqual([true, false]);
    const texts = { kind: 'text', id: 2, flags, texts_to_review: [{ field: 'headline' }] };
    expect(unitsOf(texts as unknown as Entry).map(isBanned)).toEqual([false]);
  });

  it('is claimed two members ahead, until the queue is dry', () => {
    let work = start;
    for (const id of [1, 2, 3]) {
      expect(wantsMore(work)).toBe(true);
      work = afterChange(work, { type: 'claimed', entry: photos(id, id * 10, id * 10 + 1) });
    }
    expect(wantsMore(work)).toBe(false);
    work = afterChange(work, { type: 'left', entry: 1 });
    expect(wantsMore(work)).toBe(true);
    work = afterChange(work, { type: 'dry', isDry: true });
    expect(wantsMore(work)).toBe(false);
    expect(wantsMore(afterChange(work, { type: 'dry', isDry: false }))).toBe(true);
  });

  it('goes on photo by photo, and begins again with what comes back', () => {
    let work = afterChange(start, { type: 'claimed', entry: photos(1, 10, 11) });
    work = afterChange(work, { type: 'claimed', entry: photos(2, 20) });
    work = afterChange(work, { type: 'decided', key: 'photo 10' });
    expect(keys(work)).toEqual(['photo 11', 'photo 20']);
    work = afterChange(work, { type: 'decided', key: 'photo 11' });
    work = afterChange(work, { type: 'returned', entry: photos(1, 11) });
    expect(keys(work)).toEqual(['photo 11', 'photo 20']);
    expect(keys(afterChange(work, { type: 'returned', entry: photos(2, 20) }))).toEqual([
      'photo 20',
      'photo 11',
    ]);
  });
});

describe('a key', () => {
  it.each([
    ['on a German layout', { key: 'a', code: 'KeyA' }, 'a'],
    ['on a French layout', { key: 'a', code: 'KeyQ' }, 'a'],
    ['on a Greek layout', { key: 'α', code: 'KeyA' }, 'a'],
    ['a digit on a French layout', { key: '&', code: 'Digit1' }, '1'],
    ['a digit beside', { key: '3', code: 'Numpad3' }, '3'],
    ['Escape', { key: 'Escape', code: 'Escape' }, 'Escape'],
  ])('%s is the one that was meant', (_name, pressed, meant) => {
    expect(keyOf(pressed)).toBe(meant);
  });
});
