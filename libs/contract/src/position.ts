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
