import { postalKey } from '@covalence/contract/postal-code';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readCityTable, type City } from '../src/city-table.ts';
import { kmBetween, type Position } from '../src/position.ts';
import { postalArea } from '../src/postal-places.ts';

/**
 * Creates data/postal-codes.tsv.gz from countrystatecity-postal-codes (data/README.md). Most codes there have
 * towns but no positions: a position is taken from the list of cities, choosing among towns of one name by
 * codes with the same prefix.
 */
interface Listed {
  readonly code: string;
  readonly localityName: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/** A code and its candidate positions; `given` if the source has the position. */
interface Code {
  readonly key: string;
  readonly candidates: readonly (Position & { readonly population?: number })[];
  readonly given: boolean;
}

/** A town farther from the other codes of its prefix is a different town of that name. */
const farthestKm = 75;
/** A code without a town gets the center of its neighbors if most of them are this close. */
const nearKm = 25;
const most = 0.8;
/** Countries whose data is correct for large cities. The data of Spain contains municipality numbers. */
const countries = 'AT AU BE BR CH DE DK FI FR GB GR HR IT LU NL NO PL PT SE SI TR'.split(' ');

const table = readCityTable();

const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const middleOf = (positions: readonly Position[]): Position => ({
  latitude: middle(positions.map(({ latitude }) => latitude)),
  longitude: middle(positions.map(({ longitude }) => longitude)),
});

/** Variants of a town name: without brackets, canton or number, and its comma-separated parts. */
const namesOf = (text: string): string[] => {
  const plain = text
    .replaceAll(/\(.*?\)/g, '')
    .replace(/\s+CEDEX.*$/i, '')
    .trim();
  const [first = '', ...rest] = plain.split(/[,/]/).map((part) => part.trim());
  return [plain, first, first.replace(/\s+(?:[A-Z]{2}|\d+\w*)$/, ''), ...rest].filter(Boolean);
};

/** The largest city of each province, by country and GeoNames code. */
const capitals = new Map<string, City>();
for (const index of table.positions().ids) {
  const listed = table.at(index);
  const city = listed && table.cityOf(listed);
  const province = city && `${city.country} ${city.stateCode}`;
  if (province && city.population > (capitals.get(province)?.population ?? -1)) capitals.set(province, city);
}

/** In Turkey the first two digits are the province. Unlisted districts get the position of its capital. */
function inProvince(towns: readonly City[], key: string, country: string): readonly City[] {
  if (country !== 'TR') return towns;
  const province = key.slice(0, 2);
  const own = towns.filter(({ stateCode }) => stateCode === province);
  return own.length ? own : [capitals.get(`${country} ${province}`) ?? []].flat();
}

function townsOf(text: string, country: string): readonly City[] {
  const all = namesOf(text).map((name) => table.named(name, country));
  return all.find((found) => found.length) ?? [];
}

function codesOf(listed: readonly Listed[], country: string): Code[] {
  const rows = Map.groupBy(listed, ({ code }) => postalArea(postalKey(code, country), country));
  return [...rows].map(([key, places]) => {
    const given = places.flatMap(({ latitude, longitude }) =>
      latitude === null || longitude === null ? [] : [{ latitude, longitude }],
    );
    const towns = [...new Set(places.flatMap(({ localityName }) => localityName ?? []))];
    return {
      key,
      given: given.length > 0,
      candidates: given.length
        ? [middleOf(given)]
        : inProvince(
            towns.flatMap((town) => townsOf(town, country)),
            key,
            country,
          ),
    };
  });
}

/** Codes with one candidate, by prefix. */
interface Anchor {
  readonly count: number;
  readonly center: Position;
  /** Whether most are close to each other. */
  readonly isNear: boolean;
}

function anchorsOf(codes: readonly Code[]): ReadonlyMap<string, Anchor> {
  const anchors = new Map<string, Position[]>();
  for (const { key, candidates } of codes) {
    const [only, ...others] = candidates;
    if (!only || others.length) continue;
    for (let length = 0; length < key.length; length += 1) {
      const start = key.slice(0, length);
      const some = anchors.get(start);
      if (some) some.push(only);
      else anchors.set(start, [only]);
    }
  }
  return new Map(
    [...anchors].map(([start, some]) => {
      const center = middleOf(some);
      const near = some.filter((one) => kmBetween(one, center) <= nearKm);
      return [start, { count: some.length, center, isNear: near.length >= most * some.length }];
    }),
  );
}

function positionOf({ key, candidates, given }: Code, anchors: ReadonlyMap<string, Anchor>): Position | null {
  const [first, ...others] = candidates;
  if (given) return first ?? null;
  const starts = Array.from({ length: key.length }, (_, cut) => key.slice(0, key.length - 1 - cut));
  const around = starts.flatMap((start) => anchors.get(start) ?? []).find(({ count }) => count >= 3);
  if (!first) {
    const next = anchors.get(key.slice(0, -1));
    return next?.isNear && next.count >= 3 ? next.center : null;
  }
  if (!around) return others.length ? null : first;
  const far = (position: Position) => kmBetween(position, around.center);
  // Most people live in the largest town of a code.
  const [largest] = candidates
    .filter((one) => far(one) <= nearKm)
    .toSorted((one, other) => (other.population ?? 0) - (one.population ?? 0));
  if (largest) return largest;
  const [nearest] = candidates.toSorted((one, other) => far(one) - far(other));
  return nearest && far(nearest) <= farthestKm ? nearest : null;
}

const folder = process.argv[2];
if (!folder) throw new Error('make-postal-codes FOLDER: the by-country folder of the package');
const lines: string[] = [];
for (const country of countries) {
  const listed = JSON.parse(readFileSync(join(folder, country, 'postcodes.json'), 'utf8')) as Listed[];
  const codes = codesOf(listed, country);
  const anchors = anchorsOf(codes);
  const placed = codes.flatMap((code) => {
    const position = positionOf(code, anchors);
    return position
      ? [[code.key, position.latitude.toFixed(3), position.longitude.toFixed(3)].join('\t')]
      : [];
  });
  process.stdout.write(`${country}: ${placed.length} of ${codes.length}\n`);
  lines.push(country, ...placed.toSorted());
}
writeFileSync(
  new URL('../data/postal-codes.tsv.gz', import.meta.url),
  gzipSync(`${lines.join('\n')}\n`, { level: 9 }),
);
process.stdout.write(`${lines.length} lines\n`);
