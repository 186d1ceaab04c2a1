import { milesPerDegree, type Position } from '@covalence/contract/position';

/** Height and greatest width of a cell, miles. */
const cellMiles = 1;

const rows = Math.ceil((180 * milesPerDegree) / cellMiles);
const rowHeight = 180 / rows;

/** A cell of the grid that lies over the earth, the same for every member. */
export interface Cell {
  /** Row and column. */
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
