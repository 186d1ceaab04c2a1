import type { Entry, Photo, WaitingKind, WaitingText } from './queue-queries.ts';

/** One thing to decide on: a profile, a text of a field, or a photo. */
export interface Unit {
  readonly key: string;
  readonly kind: WaitingKind;
  /** The member, or the photo. */
  readonly id: string;
  readonly revision: string;
  readonly entry: Entry;
  readonly text?: WaitingText;
  readonly photo?: Photo;
}

/** The units of a queue entry to decide on, one after the other. */
export function unitsOf(entry: Entry): Unit[] {
  const { kind, id, revision, texts_to_review: texts = [], photos = [] } = entry;
  if (kind === 'profile' && revision !== undefined)
    return [{ key: `profile ${id}`, kind, id: String(id), revision, entry }];
  if (kind === 'text')
    return texts.map((text) => ({
      key: `text ${id} ${text.field}`,
      kind,
      id: String(id),
      revision: text.revision,
      entry,
      text,
    }));
  if (kind !== 'photo') return [];
  return photos.flatMap((photo) =>
    photo.id === undefined || photo.revision === undefined
      ? []
      : [{ key: `photo ${photo.id}`, kind, id: String(photo.id), revision: photo.revision, entry, photo }],
  );
}

/** Whether the ban list has the address or a device of a member. */
export const isMatch = ({ email = [], device = [] }: Entry['flags']): boolean =>
  [...email, ...device].includes('banned');

/** Whether the ban list holds what is to be decided on. */
export const isBanned = ({ kind, entry, photo }: Unit): boolean =>
  photo?.flagged ?? (kind === 'profile' && isMatch(entry.flags));

/** Entries that are claimed ahead, so that the next one is there when it is needed. */
const entriesAhead = 2;

/** The work at hand: what is claimed and undecided, and whether the queue has nothing more. */
export interface Work {
  readonly units: readonly Unit[];
  readonly isDry: boolean;
}

/** A change of the work at hand. */
export type WorkChange =
  | { readonly type: 'claimed' | 'returned'; readonly entry: Entry }
  /** There is nothing more to claim, or somebody looks again. */
  | { readonly type: 'dry'; readonly isDry: boolean }
  | { readonly type: 'decided'; readonly key: string }
  | { readonly type: 'left'; readonly entry: number };

const without = (units: readonly Unit[], entry: number) => units.filter((unit) => unit.entry.id !== entry);

/** The work after a change. An entry that comes back is next. */
export function afterChange(work: Work, change: WorkChange): Work {
  const { units } = work;
  if (change.type === 'dry') return { ...work, isDry: change.isDry };
  if (change.type === 'decided') return { ...work, units: units.filter(({ key }) => key !== change.key) };
  if (change.type === 'left') return { ...work, units: without(units, change.entry) };
  const own = unitsOf(change.entry);
  const others = without(units, change.entry.id);
  return { ...work, units: change.type === 'returned' ? [...own, ...others] : [...others, ...own] };
}

/** Whether another entry should be claimed. */
export const wantsMore = ({ units, isDry }: Work): boolean =>
  !isDry && new Set(units.map(({ entry }) => entry.id)).size <= entriesAhead;
