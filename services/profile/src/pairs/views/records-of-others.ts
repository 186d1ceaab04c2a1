import { refusalOf, type Purpose } from '../eligibility.ts';
import type { Context } from '../../context.ts';
import { madeOfEach } from '../../members/made-of-each.ts';
import type { Member } from '../../members/document/member.ts';
import type { Sides } from '../pair.ts';
import { relationOf } from '../relation.ts';
import type { Sighting } from '../../members/store/presence-store.ts';
import { searchRecordsFor } from '../../record/records.ts';
import type { MemberRecord } from '../../record/render-record.ts';
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
  { members, pairs, presence, clock }: Context,
  viewer: number,
  ids: readonly number[],
  { withViewer = false, answers = [] }: { withViewer?: boolean; answers?: readonly string[] } = {},
): Promise<ReadOthers> {
  // The viewer's day ends at their own midnight.
  const fields = [...fieldsOfSearchRecords, ...answers, ...(withViewer ? ['timezone'] : [])];
  const [found, sides, sightings] = await Promise.all([
    members.byIds(withViewer ? [viewer, ...ids] : ids, [...new Set(fields)]),
    pairs.readMany(viewer, ids),
    presence.read(ids, clock()),
  ]);
  return { members: found, pairs: sides, sightings, answers };
}

/**
 * Records, as a page of a search has them, of those whom the viewer may meet for this purpose now, with the named answers. Somebody whose
 * record cannot be made is left out; throws where that is all of several, which is a fault of this version and not of a member.
 */
export function recordsOfOthers(
  context: Context,
  viewer: Member,
  { members, pairs, sightings, answers }: ReadOthers,
  purpose: Purpose,
): MemberRecord[] {
  const { sites } = context;
  const now = context.clock();
  const record = searchRecordsFor(context, viewer, new Set(answers));
  const others = members.filter(({ _id }) => _id !== viewer._id);
  const { made, broken } = madeOfEach(
    others,
    (other) => {
      const relation = relationOf(pairs.get(other._id));
      const refusal = refusalOf({ viewer, other, relation, sites, now, purpose });
      return refusal === undefined ? [record({ member: other, relation }, sightings.get(other._id))] : [];
    },
    context.logger,
  );
  if (broken.length > 1 && !made.length) throw new Error(`no record of ${broken.length} members can be made`);
  return made.flat();
}
