import type { Caller } from '@covalence/http/endpoint';
import { canStartThread, refusalOf, type Purpose } from '../eligibility.ts';
import type { PairsContext } from '../pairs.ts';
import { mapMembers, type MemberRecord } from '../../members/members.ts';
import { checkCaller } from '../../members/member-endpoint.ts';
import type { Member } from '../../members/document/member.ts';
import { type Sides, relationOf } from '../pair.ts';
import type { Sighting } from '../../members/document/presence.ts';
import { searchRecordsFor } from '../../record/records.ts';
import { fieldsOfSearchRecords, partsOfSearchRecords } from '../../record/render-record.ts';

interface ReadOthers {
  readonly viewer: Member | undefined;
  readonly others: readonly Member[];
  readonly pairs: ReadonlyMap<number, Sides>;
  readonly sightings: ReadonlyMap<number, Sighting>;
  readonly answers: readonly string[];
}

/** The daily limit needs the viewer's time zone. */
const fieldsOfViewers = ['timezone'] as const;

/** A search compares the version, and an access token may be older than `tokens_ended_at`. */
const partsOfViewers = ['version', 'tokens_ended_at'] as const;

interface ReadOptions {
  /** The answers that the records have. */
  readonly answers?: readonly string[];
  /** The viewer's pairs with them, as far as they are read already. */
  readonly known?: ReadonlyMap<number, Sides> | undefined;
  /** Those of the others with whom the viewer may have a pair; by default all. */
  readonly related?: readonly number[] | undefined;
}

/** Reads what the records of `ids` are rendered from, and the viewer in the same query. */
export async function readOthers(
  { members, pairs, clock }: PairsContext,
  viewer: number,
  ids: readonly number[],
  { answers = [], known = new Map(), related = ids.filter((id) => !known.has(id)) }: ReadOptions = {},
): Promise<ReadOthers> {
  const fields = [...fieldsOfSearchRecords, ...answers, ...fieldsOfViewers];
  const parts = [...partsOfSearchRecords, ...partsOfViewers];
  const [found, sides, sightings] = await Promise.all([
    members.store.byIds([viewer, ...ids], { parts, fields: [...new Set(fields)] }),
    pairs.store.readMany(viewer, related),
    members.presence.read(ids, clock()),
  ]);
  return {
    viewer: found.find(({ _id }) => _id === viewer),
    others: found.filter(({ _id }) => _id !== viewer),
    pairs: new Map([...known, ...sides]),
    sightings,
    answers,
  };
}

/**
 * Records, as in search results, of the members whom the viewer may meet for a purpose now. A member whose record
 * fails is left out. Throws where every one of several fails, because then the fault is not the member's.
 */
export function recordsOfOthers(
  context: PairsContext,
  viewer: Member,
  { others, pairs, sightings, answers }: ReadOthers,
  purpose: Purpose,
): MemberRecord[] {
  const record = searchRecordsFor(context, viewer, new Set(answers));
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

/** Records in a list of the member who calls. Throws what `checkCaller` throws. */
export async function recordsForCaller(
  context: PairsContext,
  caller: Caller,
  ids: readonly number[],
  purpose: Purpose,
  known?: ReadonlyMap<number, Sides>,
): Promise<MemberRecord[]> {
  const read = await readOthers(context, caller.id, ids, { known });
  return recordsOfOthers(context, checkCaller(read.viewer, caller), read, purpose);
}
