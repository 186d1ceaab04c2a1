import { milesPerDegree, type Position, positionAt } from '@covalence/contract/position';
import { createHmac } from 'node:crypto';
import { positionOf } from '../document/member-values.ts';
import type { Member } from '../document/member.ts';

/** Height and greatest width of a cell, miles. */
const cellMiles = 1;

const rows = Math.ceil((180 * milesPerDegree) / cellMiles);
const rowHeight = 180 / rows;

/** A cell of the grid that lies over the earth, the same for every member. */
interface Cell {
  readonly name: string;
  readonly middle: Position;
}

/** Columns of a row, so that its longest edge, nearest to the equator, has cells of at most the greatest width. */
function columnsOf(middleLatitude: number): number {
  const latitude = Math.max(0, Math.abs(middleLatitude) - rowHeight / 2);
  const circumference = 360 * milesPerDegree * Math.cos((latitude * Math.PI) / 180);
  return Math.ceil(circumference / cellMiles);
}

/** The cell that a position lies in; no position of a cell is further than 0.71 miles from its middle. */
export function cellOf({ lat, lon }: Position): Cell {
  const row = Math.min(rows - 1, Math.floor((lat + 90) / rowHeight));
  const middle = (row + 0.5) * rowHeight - 90;
  const columns = columnsOf(middle);
  const column = Math.floor(((lon + 180) / 360) * columns) % columns;
  return { name: `${row}:${column}`, middle: { lat: middle, lon: ((column + 0.5) * 360) / columns - 180 } };
}

/** The position that others measure distances to: 0.8 to 3.5 miles from the real one. Null where it is unknown. */
export type ShownPosition = (member: Pick<Member, '_id' | 'fields'>) => Position | null;

/**
 * Miles from the middle of a member's cell to the shown position: the center is a wrong guess for every member, and a narrow
 * ring would reveal the cell. With half a cell's diagonal the distance stays below 3.5 miles.
 */
export const ring = { inner: 1.6, outer: 2.7 };

const decimals = 4;

/** Six bytes of a digest as a number from 0 to below 1. */
const fraction = (digest: Buffer, at: number) => digest.readUIntBE(at, 6) / 2 ** 48;

const rounded = (degrees: number) => Number(degrees.toFixed(decimals));

/**
 * Displaces positions from the middle of the member's cell, as an HMAC of member and cell determines: repeated looks never
 * average it out, moves within a cell change nothing, and one displacement reveals nothing about others.
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
