import { without } from '../members/document/member-values.ts';
import type { Member, Photo } from '../members/document/member.ts';
import type { MemberPatch } from '../members/store/member-store.ts';
import type { Change } from './store/undo-store.ts';
import { reviewStateOf, withPrimary, withReviewState, type ReviewState } from '../photos/photo-list.ts';

type Values = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Whether two stored values are the same. */
export const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

const changeOf = (key: string, name: string | undefined, before: unknown, after: unknown): Change => ({
  key,
  ...(name !== undefined && { name }),
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
});

const primaryOf = (photos: readonly Photo[]): number | null =>
  photos.find(({ primary }) => primary)?.id ?? null;

/** The review state of a photo, and which one was primary beside it. */
type Shown = ReviewState & { readonly primary: number | null };

const shownAs = (photo: Photo, photos: readonly Photo[]): Shown => ({
  ...reviewStateOf(photo),
  primary: primaryOf(photos),
});

const reviewStateIn = ({ primary: _primary, ...state }: Shown): ReviewState => state;

const photoChange = (id: number, before: readonly Photo[], after: readonly Photo[]): Change[] => {
  const [one, other] = [before, after].map((photos) => photos.find((photo) => photo.id === id));
  return one && other ? [changeOf('photos', String(id), shownAs(one, before), shownAs(other, after))] : [];
};

/** The changes of a patch, field by field, so that a later change elsewhere does not matter. Of the photos, only `photo` counts. */
export function changesOf(member: Member, patch: MemberPatch, photo: number | undefined): Change[] {
  if (patch.photos) return photo === undefined ? [] : photoChange(photo, member.photos, patch.photos);
  return Object.entries(patch).flatMap(([key, after]): Change[] => {
    const before: unknown = member[key as keyof Member];
    if (!isRecord(before ?? {}) || !isRecord(after ?? {}) || (before === undefined && after === undefined))
      return isSame(before, after) ? [] : [changeOf(key, undefined, before, after)];
    const [one, other] = [(before ?? {}) as Values, (after ?? {}) as Values];
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    return names
      .filter((name) => !isSame(one[name], other[name]))
      .map((name) => changeOf(key, name, one[name], other[name]));
  });
}

const currentOf = (member: Member, { key, name }: Change): unknown => {
  if (key === 'photos') {
    const photo = member.photos.find(({ id }) => String(id) === name);
    return photo && reviewStateOf(photo);
  }
  const value: unknown = member[key as keyof Member];
  return name === undefined ? value : (value as Values | undefined)?.[name];
};

const expected = ({ key, after }: Change): unknown =>
  key === 'photos' ? reviewStateIn(after as Shown) : after;

/** The photo is primary again where it was, unless another one has become so for another reason since. */
function photosBefore({ photos }: Member, { name, before, after }: Change): Photo[] {
  const id = Number(name);
  const [was, became] = [before as Shown, after as Shown];
  const restored = withReviewState(photos, id, reviewStateIn(was));
  return was.primary === id && became.primary === primaryOf(photos) ? withPrimary(restored, id) : restored;
}

/** The patch that takes changes back; undefined where something of it has changed since, but for what points propose. */
export function takingBack(member: Member, changes: readonly Change[]): MemberPatch | undefined {
  const isChanged = (change: Change) => !isSame(currentOf(member, change), expected(change));
  // Every decision with points sets it anew.
  if (changes.some((change) => change.key !== 'strikes_at' && isChanged(change))) return undefined;
  const patch: Record<string, unknown> = {};
  for (const change of changes) {
    const { key, name, before } = change;
    if (key === 'photos') patch[key] = photosBefore(member, change);
    else if (name === undefined) patch[key] = before;
    else {
      const values = (patch[key] ?? member[key as keyof Member] ?? {}) as Values;
      patch[key] = before === undefined ? without(values, [name]) : { ...values, [name]: before };
    }
  }
  return patch;
}
