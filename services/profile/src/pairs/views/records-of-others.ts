import { canStartThread, refusalOf, type Purpose } from '../eligibility.ts';
import type { PairsContext } from '../pairs.ts';
import { mapMembers } from '../../members/map-members.ts';
import type { Member } from '../../members/document/member.ts';
import type { Sides } from '../pair.ts';
import { relationOf } from '../relation.ts';
import type { Sighting } from '../../members/document/presence.ts';
import { searchRecordsFor } from '../../record/records.ts';
import type { MemberRecord } from '../../members/members.ts';
import { fieldsOfSearchRecords } from '../../record/fields/search-record-fields.ts';

/** What the records of several members are made of. */
export interface ReadOthers {
  readonly members: readonly Member[];
  /** What stands between each of them and the viewer. */
  readonly pairs: ReadonlyMap<number, Sides>;
  readonly sightings: ReadonlyMap<number, Sighting>;
  /** Names of the answers that the records show. */
  readonly answers: readonly string[];
}

/**
 * Reads, all at once, what the records of `ids` are made of, with the named answers; the viewer of them is read too where
 * `withViewer` says so.
 */
export async function readOthers(
  { members, pairs, clock }: PairsContext,
  viewer: number,
  ids: readonly number[],
  { withViewer = false, answers = [] }: { withViewer?: boolean; answers?: readonly string[] } = {},
): Promise<ReadOthers> {
  // The viewer's day ends at their own midnight.
  const fields = [...fieldsOfSearchRecords, ...answers, ...(withViewer ? ['timezone'] : [])];
  const [found, sides, sightings] = await Promise.all([
    members.store.byIds(withViewer ? [viewer, ...ids] : ids, [...new Set(fields)]),
    pairs.store.readMany(viewer, ids),
    members.presence.read(ids, clock()),
  ]);
  return { members: found, pairs: sides, sightings, answers };
}

/**
 * Records, as a page of a search has them, of those whom the viewer may meet for this purpose now, with the named answers. Somebody whose
 * record cannot be made is left out; throws where that is all of several, which is a fault of this version and not of a member.
 */
export function recordsOfOthers(
  context: PairsContext,
  viewer: Member,
  { members, pairs, sightings, answers }: ReadOthers,
  purpose: Purpose,
): MemberRecord[] {
  const { sites } = context;
  const now = context.clock();
  const record = searchRecordsFor(context, viewer, new Set(answers));
  const others = members.filter(({ _id }) => _id !== viewer._id);
  const { results, broken } = mapMembers(
    others,
    (other) => {
      const relation = relationOf(pairs.get(other._id));
      const encounter = { viewer, other, relation, sites, now };
      if (refusalOf({ ...encounter, purpose }) !== undefined) return [];
      const shown = { member: other, relation, canStartThread: canStartThread(encounter) };
      return [record(shown, sightings.get(other._id))];
    },
    context.logger,
  );
  if (broken.length > 1 && !results.length)
    throw new Error(`no record of ${broken.length} members can be made`);
  return results.flat();
}
