/**
 * How one member has expressed interest in the other. `liked`: their like is in force. `declined`: they declined the other's
 * standing like. `unliked`: they withdrew a like.
 */
export type Stance = 'none' | 'liked' | 'declined' | 'unliked';

/** What one member of a pair did, with the times of what is in force. */
export interface Side {
  readonly stance: Stance;
  /** Since when the stance is in force. */
  readonly stance_at?: Date;
  /** Since when this member blocks the other. */
  readonly blocked_at?: Date;
  /** The last view of the other's profile that the other was notified of. */
  readonly viewed_at?: Date;
  /** When this member first wrote to the other (`viewer_messaged_by_member`). */
  readonly messaged_at?: Date;
  /** When this member first reported the other (`reported`). */
  readonly reported_at?: Date;
  /** Until when this member passes over the other. */
  readonly passed_until?: Date;
  /** Whether this member sends photos to the other, and receives theirs. */
  readonly photos?: { readonly send: boolean; readonly receive: boolean };
}

/** A pair seen by one of its members. */
export interface Sides {
  readonly mine: Side;
  readonly theirs: Side;
}

/** A member who has done nothing yet. */
export const untouched: Side = { stance: 'none' };

/** Two members with nothing between them. */
export const strangers: Sides = { mine: untouched, theirs: untouched };

/** The key of an unordered pair. */
export function pairKey(one: number, other: number): string {
  return `${Math.min(one, other)}:${Math.max(one, other)}`;
}
