/** A position in degrees. */
export interface Position {
  readonly lat: number;
  readonly lon: number;
}

const earthRadiusMiles = 3958.8;

const radians = (angle: number) => (angle * Math.PI) / 180;

const degrees = (angle: number) => (angle * 180) / Math.PI;

/** Miles of a degree of latitude. */
export const milesPerDegree = radians(1) * earthRadiusMiles;

/** Great-circle distance in miles. */
export function milesBetween(from: Position, to: Position): number {
  const latitude = Math.sin(radians(to.lat - from.lat) / 2) ** 2;
  const longitude = Math.sin(radians(to.lon - from.lon) / 2) ** 2;
  const chord = latitude + Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * longitude;
  return 2 * earthRadiusMiles * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** Longitude in the range from -180 up to, but not including, 180. */
const wrapped = (lon: number): number => ((((lon + 180) % 360) + 360) % 360) - 180;

/** The position at a bearing (radians clockwise from north) and a distance in miles. */
export function positionAt(from: Position, bearing: number, miles: number): Position {
  const arc = miles / earthRadiusMiles;
  const latitude = radians(from.lat);
  const sine = Math.sin(latitude) * Math.cos(arc) + Math.cos(latitude) * Math.sin(arc) * Math.cos(bearing);
  const turned = Math.atan2(
    Math.sin(bearing) * Math.sin(arc) * Math.cos(latitude),
    Math.cos(arc) - Math.sin(latitude) * sine,
  );
  const lat = degrees(Math.asin(Math.min(1, Math.max(-1, sine))));
  return { lat, lon: wrapped(from.lon + degrees(turned)) };
}
