import type { UserStatus } from '@covalence/contract/record';
import { textIn, type CheckedValues } from '../checks/check-fields.ts';
import { approvedTexts, withCheckedTexts } from '../checks/check-texts.ts';
import { isDeleted, isStoredField, pick, textOf } from '../document/member-values.ts';
import type { Member, Photo } from '../document/member.ts';
import { withStateName } from '../places/complete-place.ts';
import type { MemberPatch } from '../store/member-store.ts';
import { editPatch } from '../update/update-patch.ts';
import type { GoodImport, Imported } from './check-import.ts';
import { changedParameters, digestsOf } from './import-digests.ts';
import { newMember } from './new-member.ts';

function photosOf({ photos = [] }: Imported, ids: readonly number[], added_at: Date): Photo[] {
  return photos.flatMap((photo, order) => {
    const id = ids[order];
    return id === undefined
      ? []
      : [{ id, ...photo, status: 'approved' as const, primary: order === 0, order, added_at }];
  });
}

/** The member document of an import: as a registration creates it, with the facts about its past. */
export function memberFromImport(
  good: GoodImport,
  { id, photoIds, now }: { readonly id: number; readonly photoIds: readonly number[]; readonly now: Date },
): Member {
  const { imported, site, values, past, referral } = good;
  const fresh = newMember({ id, memberId: imported.member_id, site, referral }, values, now);
  const { userstatus = fresh.userstatus, date_registered: joined = now, last_seen = null } = past;
  const { searchable = true, deactivated, reason_id } = values;
  return withCheckedTexts({
    ...fresh,
    joined,
    userstatus,
    fields: { ...fresh.fields, searchable: searchable !== false },
    presence: { ...fresh.presence, last_seen },
    photos: photosOf(imported, photoIds, joined),
    deactivated: deactivated === true,
    import_digests: digestsOf(good),
    ...(typeof reason_id === 'number' && { reason_id }),
  });
}

/** The effect of a line on an existing member. */
export interface ImportedChange {
  readonly patch?: MemberPatch;
  /** Whether the patch changes more than the digests. */
  readonly changed: boolean;
  /** Changed parameters that an update does not apply. */
  readonly ignored: readonly string[];
}

/** Parameters of the past that an update applies. */
const facts = ['userstatus', 'date_registered'];

/** The auth service has the username. */
const isUpdatedField = (name: string, values: CheckedValues) =>
  name in values && isStoredField(name) && name !== 'username';

/** A review status from the file. An approval covers the texts that the file states, not those that were written here. */
function statusPatch(member: Member, userstatus: UserStatus, values: CheckedValues): MemberPatch {
  if (userstatus !== 'approved') return { userstatus };
  const stated = pick(member.fields, (name, value) => values[name] === value);
  return { userstatus, ...approvedTexts(member, stated) };
}

/** Fields, review status and time of registration after the changed parameters. Texts are reviewed like those of the member. */
function patchOf(
  { site, values: sent, past }: GoodImport,
  member: Member,
  changed: readonly string[],
): MemberPatch {
  const values = withStateName(sent, textIn(sent, 'country') ?? textOf(member, 'country'));
  const isApplied = (name: string) => changed.includes(name) && isUpdatedField(name, values);
  const edit = editPatch(member, pick(values, isApplied), site);
  const { userstatus, date_registered: joined } = past;
  const isDecided = changed.includes('userstatus') && userstatus !== member.userstatus;
  return {
    ...edit,
    ...(isDecided && userstatus && statusPatch({ ...member, ...edit }, userstatus, values)),
    ...(changed.includes('date_registered') && joined && { joined }),
  };
}

/** The changes that a line makes to its member. Names, password and activity stay; a deleted profile does not change. */
export function changeFromImport(good: GoodImport, member: Member): ImportedChange {
  const names = changedParameters(good, member);
  if (isDeleted(member)) return { changed: false, ignored: names };
  const known = member.import_digests;
  if (known && !names.length) return { changed: false, ignored: [] };
  const digests = { import_digests: { ...known, ...digestsOf(good) } };
  // Whether the file or the member changed what differs is unknown, so that this update only records the line.
  if (!known) return { patch: digests, changed: false, ignored: names };
  const patch = patchOf(good, member, names);
  return {
    patch: { ...patch, ...digests },
    changed: Object.keys(patch).length > 0,
    ignored: names.filter((name) => !facts.includes(name) && !isUpdatedField(name, good.values)),
  };
}
