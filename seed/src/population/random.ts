import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Deterministic random values, which depend only on the seed and the path. */
export interface Random {
  /** A number of 0 (included) to 1 (excluded). */
  real(): number;
  /** A whole number, both bounds included. */
  integer(from: number, to: number): number;
  /** True in the given share of draws. */
  chance(share: number): boolean;
  /** A number of the normal distribution. */
  normal(mean: number, deviation: number): number;
  /** One of the list; throws a RangeError on an empty list. */
  pick<T>(list: readonly T[]): T;
  /** One of the keys, in proportion to its weight; a weight of 0 or less is never drawn. */
  weighted<K extends string>(weights: Readonly<Partial<Record<K, number>>>): K;
  /** Different members of the list in random order, at most as many as it has. */
  sample<T>(list: readonly T[], count: number): T[];
}

const mix = (hash: number, text: string): number => {
  let mixed = hash;
  for (let at = 0; at < text.length; at += 1) {
    mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193);
    mixed ^= mixed >>> 15;
  }
  return Math.imul(mixed ^ (mixed >>> 13), 0x5bd1e995) | 0;
};

/** The random values of one purpose: `randomOf(seed, index, 'name')`. Each path has its own stream. */
export function randomOf(seed: number, ...path: readonly (number | string)[]): Random {
  const generator = xoroshiro128plus(path.reduce<number>((hash, step) => mix(hash, `/${step}`), seed | 0));
  const real = () => uniformFloat64(generator);
  const integer = (from: number, to: number) => uniformInt(generator, from, to);

  const pick = <T>(list: readonly T[]): T => {
    const index = integer(0, Math.max(0, list.length - 1));
    const picked = list[index];
    if (picked === undefined && index >= list.length) throw new RangeError('nothing to pick from');
    return picked as T;
  };

  const weighted = <K extends string>(weights: Readonly<Partial<Record<K, number>>>): K => {
    const entries = (Object.entries(weights) as [K, number][]).filter(([, weight]) => weight > 0);
    const total = entries.reduce((sum, [, weight]) => sum + weight, 0);
    let rest = real() * total;
    for (const [key, weight] of entries) {
      rest -= weight;
      if (rest < 0) return key;
    }
    return pick(entries)[0];
  };

  const sample = <T>(list: readonly T[], count: number): T[] => {
    const rest = [...list];
    return Array.from({ length: Math.min(count, rest.length) }, () => {
      const [taken] = rest.splice(integer(0, rest.length - 1), 1);
      return taken as T;
    });
  };

  return {
    real,
    integer,
    pick,
    weighted,
    sample,
    chance: (share) => real() < share,
    normal: (mean, deviation) =>
      mean + deviation * Math.sqrt(-2 * Math.log(1 - real())) * Math.cos(2 * Math.PI * real()),
  };
}
