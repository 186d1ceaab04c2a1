/** A position in degrees. */
export interface Position {
  readonly lat: number;
  readonly lon: number;
}

const earthRadiusMiles = 3958.8;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Great-circle distance in miles. */
export function milesBetween(from: Position, to: Position): number {
  const latitude = Math.sin(radians(to.lat - from.lat) / 2) ** 2;
  const longitude = Math.sin(radians(to.lon - from.lon) / 2) ** 2;
  const chord = latitude + Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * longitude;
  return 2 * earthRadiusMiles * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** Steps of the position grid in degrees: about 1.1 km of latitude (D51). */
const gridStep = 0.01;

/** Digits behind the point of a step. */
const decimals = 2;

const snappedDegrees = (degrees: number): number =>
  Number((Math.round(degrees / gridStep) * gridStep).toFixed(decimals));

/** The middle of the grid cell that a position lies in: others never learn more of it (D51). */
export const snapped = ({ lat, lon }: Position): Position => ({
  lat: snappedDegrees(lat),
  lon: snappedDegrees(lon),
});
