/** A place on the earth in degrees. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Kilometers between nearby positions, computed on a plane. */
export function kmBetween(one: Position, other: Position): number {
  const north = one.latitude - other.latitude;
  const turn = Math.abs(one.longitude - other.longitude);
  const east = Math.min(turn, 360 - turn) * Math.cos(radians(other.latitude));
  return Math.hypot(north, east) * 111.2;
}
