import { createHmac } from 'node:crypto';
import { positionAt, type Position } from '@covalence/contract/position';
import { positionOf } from '../document/member-values.ts';
import type { Member } from '../document/member.ts';
import { cellOf } from './position-cell.ts';

/**
 * Where others measure distances to a member: 0.8 to 3.5 miles from where the member is. Null where the position is unknown.
 */
export type ShownPosition = (member: Pick<Member, '_id' | 'fields'>) => Position | null;

/**
 * Shortest and longest way from the middle of a member's cell to the shown position, miles. A ring keeps the best guess, its
 * center, away from every member. It is wide, because a narrow one would tell which cell the member is in. The longest way and
 * half of a cell's diagonal stay below 3.5, so that a distance in whole miles is within 4 miles of the truth.
 */
export const ring = { inner: 1.6, outer: 2.7 };

/** About ten meters. */
const decimals = 4;

/** Six bytes of a digest as a number from 0 to below 1. */
const fraction = (digest: Buffer, at: number) => digest.readUIntBE(at, 6) / 2 ** 48;

const rounded = (degrees: number) => Number(degrees.toFixed(decimals));

/**
 * Displaces positions: to the middle of the cell that a member is in, moved in a direction and by a length that follow from the
 * secret, the member and the cell. Looking again never averages it out, moves within a cell change nothing, and where one
 * member is in one cell says nothing of other cells and members.
 */
export function createShownPosition(secret: string): ShownPosition {
  return (member) => {
    const position = positionOf(member);
    if (!position) return null;
    const { name, middle } = cellOf(position);
    const digest = createHmac('sha256', secret).update(`position:${member._id}:${name}`).digest();
    const bearing = fraction(digest, 0) * 2 * Math.PI;
    // Evenly over the area of the ring.
    const miles = Math.sqrt(ring.inner ** 2 + fraction(digest, 6) * (ring.outer ** 2 - ring.inner ** 2));
    const { lat, lon } = positionAt(middle, bearing, miles);
    return { lat: rounded(lat), lon: rounded(lon) };
  };
}
