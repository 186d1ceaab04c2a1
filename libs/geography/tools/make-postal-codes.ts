import { postalKey } from '@covalence/contract/postal-code';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readCityTable, type City } from '../src/city-table.ts';
import { kmBetween, type Position } from '../src/position.ts';
import { postalArea } from '../src/postal-areas.ts';

/**
 * Makes data/postal-codes.tsv.gz of the by-country folder of countrystatecity-postal-codes (data/README.md). It names the
 * towns of a code but seldom where they are, so that the positions are those of the towns in the list of cities: of towns
 * that share a name the one among the other codes that begin alike. What lies far from those is left out.
 */
interface Listed {
  readonly code: string;
  readonly localityName: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/** A code, where it may be, and whether the source says so itself. */
interface Code {
  readonly key: string;
  readonly candidates: readonly (Position & { readonly population?: number })[];
  readonly given: boolean;
}

/** What is farther from the other codes that begin alike is another town of that name. */
const farthestKm = 75;
/** A code without a town is where most of the codes are that differ in the last sign, if they are this near each other. */
const nearKm = 25;
const most = 0.8;
/** Countries whose codes the package has right, as far as large cities show. Of Spain it has numbers of municipalities instead. */
const countries = 'AT AU BE BR CH DE DK FI FR GB GR HR IT LU NL NO PL PT SE SI TR'.split(' ');

const table = readCityTable();

const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const middleOf = (positions: readonly Position[]): Position => ({
  latitude: middle(positions.map(({ latitude }) => latitude)),
  longitude: middle(positions.map(({ longitude }) => longitude)),
});

/** The ways to read the name of a town: without what stands in brackets, behind a comma, a canton or a number behind it. */
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

/** In Turkey the first two digits are the province, whose quarters are not in the list: they are where its capital is. */
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

/** Where the codes are that leave no choice, by each beginning of a code. */
interface Anchor {
  readonly count: number;
  readonly center: Position;
  /** Whether most are near each other. */
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
  // Of several towns with one code most people live in the largest.
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
