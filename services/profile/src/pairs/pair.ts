import type { Blocked, Covalence } from '@covalence/contract/record';
import type { Relation } from '../record/fields/relation.ts';

/** A member's interest in the other: `declined` answers the other's standing like, `unliked` withdraws an own one. */
export type Stance = 'none' | 'liked' | 'declined' | 'unliked';

/** One member's side of a pair: actions in force, with their times. */
export interface Side {
  readonly stance: Stance;
  readonly stance_at?: Date;
  readonly blocked_at?: Date;
  /** The last view of the other's profile that the other was notified of. */
  readonly viewed_at?: Date;
  /** When this member first wrote to the other (`viewer_messaged_by_member`). */
  readonly messaged_at?: Date;
  /** When this member first reported the other (`reported`). */
  readonly reported_at?: Date;
  readonly passed_until?: Date;
  readonly photos?: { readonly send: boolean; readonly receive: boolean };
}

/** A pair seen by one of its members. */
export interface Sides {
  readonly mine: Side;
  readonly theirs: Side;
  /** When the initial like was made, while one stands; the end of one of two likes does not change it. */
  readonly begun_at?: Date;
}

const untouched: Side = { stance: 'none' };

/** Two members with nothing between them. */
export const strangers: Sides = { mine: untouched, theirs: untouched };

/** The key of an unordered pair. */
export function pairKey(one: number, other: number): string {
  return `${Math.min(one, other)}:${Math.max(one, other)}`;
}

/** The other member of the pair with a key. */
export function otherInKey(mine: number, key: string): number {
  const [low, high] = key.split(':').map(Number);
  return (mine === low ? high : low) ?? mine;
}

const covalenceOf = ({ mine, theirs }: Sides): Covalence => {
  if (mine.stance === 'liked') {
    if (theirs.stance === 'liked') return 'mutual';
    return theirs.stance === 'declined' ? 'declinedme' : 'liked';
  }
  if (mine.stance !== 'none') return mine.stance;
  return theirs.stance === 'liked' ? 'likedme' : 'none';
};

const blockedOf = ({ mine, theirs }: Sides): Blocked => {
  if (mine.blocked_at) return theirs.blocked_at ? 'both' : 'them';
  return theirs.blocked_at ? 'you' : 'none';
};

const timesOf = (sides: Sides, stance: 'liked' | 'declined'): number[] =>
  [sides.mine, sides.theirs].flatMap((side) =>
    side.stance === stance && side.stance_at ? [side.stance_at.getTime()] : [],
  );

/** When the initial like was answered: by a like (a connection) or by a decline. */
const answeredAt = (sides: Sides): Date | null => {
  const likes = timesOf(sides, 'liked');
  const times = likes.length === 2 ? likes : timesOf(sides, 'declined');
  return times.length ? new Date(Math.max(...times)) : null;
};

/** Derives the relation from a pair, the one place that does. `mine` is the viewer's side. */
export function relationOf(sides: Sides = strangers): Relation {
  const { mine, theirs } = sides;
  const covalence = covalenceOf(sides);
  const expressed = mine.stance !== 'none' || theirs.stance !== 'none';
  return {
    covalence,
    isconnection: expressed ? covalence === 'mutual' : null,
    created: sides.begun_at ?? null,
    answered: answeredAt(sides),
    blocked: blockedOf(sides),
    messagedByThem: theirs.messaged_at !== undefined,
    messagedByMe: mine.messaged_at !== undefined,
    reportedByMe: mine.reported_at !== undefined,
    sending: mine.photos?.send ?? false,
    receiving: mine.photos?.receive ?? false,
    theyReceive: theirs.photos?.receive ?? false,
    seesPrivate: Boolean(theirs.photos?.send && mine.photos?.receive),
  };
}
