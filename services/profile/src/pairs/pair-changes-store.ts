import type { Model } from 'mongoose';
import { otherOf, shown, sidesFor, type PairDocument, type StoredPair } from './pair-model-store.ts';
import type { Sides } from './pair.ts';

/** A pair as one of its members sees it, with the version of its last change. */
export interface ChangedPair {
  readonly other: number;
  readonly version: number;
  readonly sides: Sides;
}

/** The changes of a member's pairs, for services that cache them. */
export interface PairChanges {
  /**
   * Pairs of `mine` whose version is `since` or later, by version: about 1,000, and `next`, the version to go on with,
   * where there are more.
   */
  changedSince(mine: number, since: number): Promise<{ changes: ChangedPair[]; next?: number }>;
}

const pageSize = 1_000;

/** Creates the reader on the pairs collection. */
export function createPairChanges(model: Model<PairDocument>): PairChanges {
  const find = (filter: object) => model.find(filter, shown).lean<StoredPair[]>();

  /** Pairs of one side up to a page, with every pair of the last version on the page. */
  const sideOf = async (side: 'low' | 'high', mine: number, since: number) => {
    const found = await find({ [side]: mine, version: { $gte: since } })
      .sort({ version: 1 })
      .limit(pageSize);
    const last = found.at(-1)?.version;
    if (last === undefined || found.length < pageSize) return { pairs: found, upTo: Infinity };
    const same = await find({ [side]: mine, version: last });
    return { pairs: [...found.filter(({ version }) => version < last), ...same], upTo: last };
  };

  /** Every change in one query, unordered; undefined where they exceed a page. */
  const few = async (mine: number, since: number) => {
    const later = { version: { $gte: since } };
    const found = await find({
      $or: [
        { low: mine, ...later },
        { high: mine, ...later },
      ],
    }).limit(pageSize);
    return found.length < pageSize ? { pairs: found, upTo: Infinity } : undefined;
  };

  return {
    async changedSince(mine, since) {
      const all = await few(mine, since);
      const sides = all
        ? [all]
        : await Promise.all([sideOf('low', mine, since), sideOf('high', mine, since)]);
      const upTo = Math.min(...sides.map((side) => side.upTo));
      const changes = sides
        .flatMap(({ pairs }) => pairs)
        .filter(({ version }) => version <= upTo)
        .map((pair) => ({ other: otherOf(mine, pair), version: pair.version, sides: sidesFor(mine, pair) }))
        .sort((one, another) => one.version - another.version);
      return { changes, ...(Number.isFinite(upTo) && { next: upTo + 1 }) };
    },
  };
}
