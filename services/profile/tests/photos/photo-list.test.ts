import { fuzzing } from '@covalence/testing/fuzzing';
import { describe, expect, it } from '@jest/globals';
import { array, assert, constantFrom, nat, property, record, shuffledSubarray } from 'fast-check';
import type { Photo } from '../../src/members/document/member.ts';
import { shownPhotos } from '../../src/members/document/photos.ts';
import { inOrder, withPhoto, withPrimary, withStatus } from '../../src/photos/photo-list.ts';

const photo = (id: number, status: Photo['status']) => ({
  id,
  stem: `stem${id}`,
  extension: '.jpg',
  sizes: [800],
  status,
  added_at: new Date(id),
});

type Step = { readonly kind: 'add' | 'primary' | 'order' | Photo['status']; readonly pick: number };

const step = record({
  kind: constantFrom<Step['kind']>(
    'add',
    'add',
    'primary',
    'order',
    'approved',
    'pending',
    'rejected',
    'deleted',
  ),
  pick: nat(),
});

function apply(photos: readonly Photo[], { kind, pick }: Step, next: number): readonly Photo[] {
  if (kind === 'add') return withPhoto(photos, photo(next, pick % 2 ? 'pending' : 'approved'));
  const chosen = photos[pick % Math.max(photos.length, 1)];
  if (!chosen) return photos;
  if (kind === 'order') return inOrder(photos, [chosen.id]);
  if (kind !== 'primary') return withStatus(photos, chosen.id, kind);
  return chosen.status === 'approved' ? withPrimary(photos, chosen.id) : photos;
}

describe('any sequence of changes to photos', () => {
  it('keeps the primary photo approved and first, and one where any is approved', () => {
    assert(
      property(array(step, { maxLength: 60, size: 'max' }), (steps) => {
        let photos: readonly Photo[] = [];
        steps.forEach((each, index) => {
          photos = apply(photos, each, index + 1);
          const primaries = photos.filter(({ primary }) => primary);
          const shown = shownPhotos(photos);
          expect(primaries).toHaveLength(photos.some(({ status }) => status === 'approved') ? 1 : 0);
          expect(primaries.every(({ status }) => status === 'approved')).toBe(true);
          expect(primaries).toEqual(shown.slice(0, primaries.length));
          expect(shown.map(({ order }) => order)).toEqual(shown.map((_photo, place) => place));
          expect(photos.filter(({ status }) => status === 'rejected').length).toBeLessThanOrEqual(20);
        });
      }),
      fuzzing(),
    );
  });

  it('keeps the newest twenty rejected photos, and all others', () => {
    const ids = Array.from({ length: 25 }, (_, index) => index + 1);
    let photos = ids.reduce<readonly Photo[]>((before, id) => withPhoto(before, photo(id, 'approved')), []);
    for (const id of ids.slice(0, 22)) photos = withStatus(photos, id, 'rejected');
    const idsOf = (status: Photo['status']) =>
      photos.filter((one) => one.status === status).map(({ id }) => id);
    expect(idsOf('deleted')).toEqual([1, 2]);
    expect(idsOf('rejected')).toEqual(ids.slice(2, 22));
    expect(idsOf('approved')).toEqual([23, 24, 25]);
  });

  it('orders the named photos behind the primary one', () => {
    assert(
      property(shuffledSubarray([1, 2, 3, 4, 5, 6], { minLength: 1 }), (ids) => {
        let photos: readonly Photo[] = [];
        for (const id of [1, 2, 3, 4, 5, 6]) photos = withPhoto(photos, photo(id, 'approved'));
        const order = shownPhotos(inOrder(photos, ids)).map(({ id }) => id);
        const named = ids.filter((id) => id !== 1);
        const others = [2, 3, 4, 5, 6].filter((id) => !ids.includes(id));
        expect(order).toEqual([1, ...named, ...others]);
      }),
      fuzzing(),
    );
  });
});
