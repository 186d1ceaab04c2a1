import { createHmac } from 'node:crypto';
import { positionAt, type Position } from '@covalence/contract/position';
import { positionOf } from '../document/member-values.ts';
import type { Member } from '../document/member.ts';
import { cellOf } from './position-cell.ts';

/**
 * The position that others measure distances to: 0.8 to 3.5 miles from the real one. Null where the position is unknown.
 */
export type ShownPosition = (member: Pick<Member, '_id' | 'fields'>) => Position | null;

/**
 * Shortest and longest distance from the middle of a member's cell to the shown position, in miles. The center of the
 * ring is a wrong guess for every member. The ring is wide, because a narrow one would reveal the cell. With half a
 * cell's diagonal the distance stays below 3.5 miles.
 */
export const ring = { inner: 1.6, outer: 2.7 };

/** About ten meters. */
const decimals = 4;

/** Six bytes of a digest as a number from 0 to below 1. */
const fraction = (digest: Buffer, at: number) => digest.readUIntBE(at, 6) / 2 ** 48;

const rounded = (degrees: number) => Number(degrees.toFixed(decimals));

/**
 * Displaces positions: from the middle of the member's cell in a direction and by a distance that an HMAC of member
 * and cell determines. Repeated looks never average it out, moves within a cell change nothing, and one displacement
 * reveals nothing about others.
 */
export function createShownPosition(secret: string): ShownPosition {
  return (member) => {
    const position = positionOf(member);
    if (!position) return null;
    const { name, middle } = cellOf(position);
    const digest = createHmac('sha256', secret).update(`position:${member._id}:${name}`).digest();
    const bearing = fraction(digest, 0) * 2 * Math.PI;
    // Uniform over the area of the ring.
    const miles = Math.sqrt(ring.inner ** 2 + fraction(digest, 6) * (ring.outer ** 2 - ring.inner ** 2));
    const { lat, lon } = positionAt(middle, bearing, miles);
    return { lat: rounded(lat), lon: rounded(lon) };
  };
}
