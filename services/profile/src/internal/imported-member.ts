import { checkValue, type StoredValue } from '@covalence/contract/catalogue/check-value';
import { fieldByName, fields as catalogue } from '@covalence/contract/catalogue/fields';
import type { importedMember } from '@covalence/contract/internal/profile-api';
import { photoExtension, photoStem } from '@covalence/contract/photo-files';
import type { Site } from '@covalence/contract/sites';
import type { z } from 'zod';
import { isStoredField } from '../members/member-fields.ts';
import type { Member, Photo } from '../members/member.ts';
import { newMember } from '../registration/new-member.ts';
import { codeOfField, type CheckedValues } from '../validation/check-fields.ts';

/** One member of a bulk import, as its file has them. */
export type Imported = z.output<typeof importedMember>;

/** What checking an imported member came to. */
export interface CheckedImport {
  readonly values: CheckedValues;
  readonly failcode: readonly number[];
}

const isoDate = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Imported values are stored ones; only dates are written differently by clients (spec 4.4: MM/DD/YYYY). */
const asSent = (kind: string | undefined, value: unknown): unknown =>
  kind === 'date' && typeof value === 'string' ? value.replace(isoDate, '$2/$3/$1') : value;

const required = catalogue
  .filter((field) => field.required && isStoredField(field.name))
  .map(({ name }) => name);

const checkOne = (name: string, value: unknown): StoredValue | undefined => {
  const field = fieldByName(name);
  const checked = field && checkValue(field, asSent(field.kind, value), 'register');
  return checked?.valid ? checked.value : undefined;
};

const hasBadPhoto = ({ photos = [] }: Imported) =>
  photos.some(({ stem, extension }) => !photoStem.test(stem) || !photoExtension.test(extension));

/** Checks an imported member's fields against the catalogue. */
export function checkImported(member: Imported): CheckedImport {
  const { world_plus, username, email } = member;
  const sent = { ...member.fields, world_plus, username };
  const values: CheckedValues = {};
  const failcode: number[] = [];
  for (const [name, value] of Object.entries(sent)) {
    const stored = isStoredField(name) ? checkOne(name, value) : undefined;
    if (stored === undefined) failcode.push(codeOfField(name, 'register'));
    else values[name] = stored;
  }
  if (checkOne('email', email) === undefined) failcode.push(codeOfField('email', 'register'));
  for (const name of required) if (!(name in sent)) failcode.push(codeOfField(name, 'register'));
  // The spec's code for an image that is not what it should be.
  if (hasBadPhoto(member)) failcode.push(11204);
  return { values, failcode: [...new Set(failcode)] };
}

/** The photos of an imported member, approved; the first one is primary. */
function photosOf({ photos = [], joined }: Imported, ids: readonly number[]): Photo[] {
  return photos.flatMap((photo, order) => {
    const id = ids[order];
    const added_at = new Date(joined);
    return id === undefined
      ? []
      : [{ id, ...photo, status: 'approved' as const, primary: order === 0, order, added_at }];
  });
}

/** The member document of a checked import. */
export function memberFromImport(
  imported: Imported,
  values: CheckedValues,
  known: {
    readonly id: number;
    readonly site: Site;
    readonly photoIds: readonly number[];
    readonly now: Date;
  },
): Member {
  const { id, site, photoIds, now } = known;
  const member = newMember({ id, memberId: imported.member_id, site }, values, now);
  return {
    ...member,
    joined: new Date(imported.joined),
    userstatus: imported.userstatus,
    fields: { ...member.fields, searchable: imported.searchable },
    presence: { last_seen: new Date(imported.last_seen), offline: false },
    photos: photosOf(imported, photoIds),
  };
}
