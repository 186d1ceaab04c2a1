import { milesBetween, type Position } from '@covalence/contract/position';
import { sumOf } from '@covalence/runtime/sum';
import type { Candidate } from '../../predicates/criterion-predicates.ts';
import { mutual, type Pairs } from '../../matching/market.ts';
import { chanceOfLike, unknownTaste } from '../chances.ts';
import type { Throttle } from './throttle.ts';
import { isWithinLimits, shareMet, type Preferences } from '../preferences.ts';

/** A member who takes part in the matching. */
export interface Participant {
  readonly id: number;
  /** Gender and preference, and those of the members whom they may meet. */
  readonly audience: string;
  readonly seeks: string;
  readonly position: Position | null;
  readonly candidate: Candidate;
  readonly preferences: Preferences;
  /** The chance that the member is there. */
  readonly presence: number;
}

/** Pairs in columns that another thread can take over. */
export interface SampledPairs extends Pairs {
  readonly one: Uint32Array<ArrayBuffer>;
  readonly other: Uint32Array<ArrayBuffer>;
  readonly weight: Float32Array<ArrayBuffer>;
}

/** Candidates that a member draws; as many draw the member, so that there are about 200. */
export const drawn = 100;

/** Members at whom a member looks for them; half of them nearby. */
const looks = 400;

/** The side of a cell of the map in degrees. A member looks nearby in nine of them. */
const cellDegrees = 2;

/** Decrease of the chance of a like with distance, between these miles. */
const distance = { full: 25, zero: 500, least: 0.4 };

const cellOf = ({ lat, lon }: Position): [number, number] => [
  Math.floor(lat / cellDegrees),
  Math.floor(lon / cellDegrees),
];

/** Numbers of members by whom they are and prefer, everywhere and by cell. */
function mapOf(participants: readonly Participant[]) {
  const everywhere = Map.groupBy(participants.keys(), (number) => participants[number]?.audience);
  const cells = Map.groupBy(participants.keys(), (number) => {
    const { audience, position } = participants[number] ?? {};
    return position && `${audience} ${cellOf(position).join(':')}`;
  });
  return {
    everyone: ({ seeks }: Participant) => everywhere.get(seeks) ?? [],
    nearby({ seeks, position }: Participant): number[][] {
      if (!position) return [];
      const [lat, lon] = cellOf(position);
      const steps = [-1, 0, 1];
      const around = steps.flatMap((north) => steps.map((east) => `${lat + north}:${lon + east}`));
      return around.map((cell) => cells.get(`${seeks} ${cell}`) ?? []);
    },
  };
}

/** Any of the numbers in some lists. */
function anyOf(
  lists: readonly (readonly number[])[],
  count: number,
  random: () => number,
): number | undefined {
  let at = Math.floor(random() * count);
  for (const list of lists) {
    if (at < list.length) return list[at];
    at -= list.length;
  }
  return undefined;
}

/** Members at whom a member looks: all where they are few, else some at random, so that nobody is taken for being popular. */
function* looked(
  member: Participant,
  map: ReturnType<typeof mapOf>,
  random: () => number,
): Generator<number> {
  const all = map.everyone(member);
  if (all.length <= looks) {
    const from = Math.floor(random() * all.length);
    yield* all.slice(from);
    yield* all.slice(0, from);
    return;
  }
  const near = map.nearby(member);
  const count = sumOf(near, ({ length }) => length);
  for (let look = 0; look < looks; look += 1) {
    const found = look % 2 && count ? anyOf(near, count, random) : anyOf([all], all.length, random);
    if (found !== undefined) yield found;
  }
}

function nearness(one: Position | null, other: Position | null): number {
  const miles = one && other ? milesBetween(one, other) : distance.zero;
  const far = Math.min(1, Math.max(0, miles - distance.full) / (distance.zero - distance.full));
  return 1 - (1 - distance.least) * far;
}

/** The chance that two members like one another; 0 where one is beyond the limits of the other. */
function weightOf(one: Participant, other: Participant): number {
  if (
    one === other ||
    !isWithinLimits(one.preferences, other.candidate) ||
    !isWithinLimits(other.preferences, one.candidate)
  )
    return 0;
  const near = nearness(one.position, other.position);
  const chance = (of: Participant, met: Participant) =>
    chanceOfLike(shareMet(of.preferences, met.candidate) * near, unknownTaste) * of.presence;
  return mutual(chance(one, other), chance(other, one));
}

/** Draws candidates for each member. Undefined where it may not go on. */
export async function samplePairs(
  participants: readonly Participant[],
  throttle: Throttle,
  random: () => number = Math.random,
): Promise<SampledPairs | undefined> {
  const map = mapOf(participants);
  const most = participants.length * drawn;
  const [one, other, weight] = [new Uint32Array(most), new Uint32Array(most), new Float32Array(most)];
  let count = 0;
  for (const [number, member] of participants.entries()) {
    const last = count + drawn;
    for (const found of looked(member, map, random)) {
      const candidate = participants[found];
      const value = candidate ? weightOf(member, candidate) : 0;
      if (!value) continue;
      [one[count], other[count], weight[count]] = [number, found, value];
      count += 1;
      if (count === last) break;
    }
    if (!(await throttle())) return undefined;
  }
  // As long as needed, because another thread takes them over.
  return { one: one.slice(0, count), other: other.slice(0, count), weight: weight.slice(0, count) };
}
