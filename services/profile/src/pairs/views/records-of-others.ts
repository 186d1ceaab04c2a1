import { canStartThread, refusalOf, type Purpose } from '../eligibility.ts';
import type { PairsContext } from '../pairs.ts';
import { mapMembers, type MemberRecord } from '../../members/members.ts';
import type { Member } from '../../members/document/member.ts';
import { type Sides, relationOf } from '../pair.ts';
import type { Sighting } from '../../members/document/presence.ts';
import { searchRecordsFor } from '../../record/records.ts';
import { fieldsOfSearchRecords, partsOfSearchRecords } from '../../record/render-record.ts';

interface ReadOthers {
  readonly members: readonly Member[];
  readonly pairs: ReadonlyMap<number, Sides>;
  readonly sightings: ReadonlyMap<number, Sighting>;
  readonly answers: readonly string[];
}

interface ReadOptions {
  /** Whether the viewer is read, too. */
  readonly withViewer?: boolean;
  /** The answers that the records have. */
  readonly answers?: readonly string[];
  /** Those of the ids with whom the viewer has a pair; by default any of them may have one. */
  readonly related?: readonly number[] | undefined;
}

/** Reads what the records of `ids` are rendered from. */
export async function readOthers(
  { members, pairs, clock }: PairsContext,
  viewer: number,
  ids: readonly number[],
  { withViewer = false, answers = [], related = ids }: ReadOptions = {},
): Promise<ReadOthers> {
  // The daily limit needs the viewer's time zone, and a search compares the version.
  const fields = [...fieldsOfSearchRecords, ...answers, ...(withViewer ? ['timezone'] : [])];
  const parts = [...partsOfSearchRecords, ...(withViewer ? (['version'] as const) : [])];
  const [found, sides, sightings] = await Promise.all([
    members.store.byIds(withViewer ? [viewer, ...ids] : ids, {
      parts,
      fields: [...new Set(fields)],
    }),
    pairs.store.readMany(viewer, related),
    members.presence.read(ids, clock()),
  ]);
  return { members: found, pairs: sides, sightings, answers };
}

/**
 * Records, as in search results, of the members whom the viewer may meet for a purpose now. A member whose record
 * fails is left out. Throws where every one of several fails, because then the fault is not the member's.
 */
export function recordsOfOthers(
  context: PairsContext,
  viewer: Member,
  { members, pairs, sightings, answers }: ReadOthers,
  purpose: Purpose,
): MemberRecord[] {
  const record = searchRecordsFor(context, viewer, new Set(answers));
  const others = members.filter(({ _id }) => _id !== viewer._id);
  const { results, broken } = mapMembers(
    others,
    (other) => {
      const relation = relationOf(pairs.get(other._id));
      const encounter = { viewer, other, relation };
      if (refusalOf(context, { ...encounter, purpose }) !== undefined) return [];
      const shown = { member: other, relation, canStartThread: canStartThread(context, encounter) };
      return [record(shown, sightings.get(other._id))];
    },
    context.logger,
  );
  if (broken.length > 1 && !results.length)
    throw new Error(`none of ${broken.length} records can be rendered`);
  return results.flat();
}
