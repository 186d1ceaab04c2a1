import { canonicalName } from '@covalence/contract/catalogue/fields';
import { failCodes } from '@covalence/contract/failure-codes';
import type { importedMember } from '@covalence/contract/internal/profile-api';
import { wholeNumber } from '@covalence/contract/parameters';
import { isPasswordHash } from '@covalence/contract/password-hash';
import { photoExtension, photoStem } from '@covalence/contract/photo-files';
import { userStatuses } from '@covalence/contract/record';
import type { Site, Sites } from '@covalence/contract/sites';
import { hash } from 'node:crypto';
import { z } from 'zod';
import { textOf } from '../document/member-values.ts';
import type { MemberPatch } from '../store/member-store.ts';
import type { Member, Photo } from '../document/member.ts';
import { withCheckedTexts } from '../checks/check-texts.ts';
import { requiredFields } from '@covalence/contract/registration-fields';
import { checkNewFields, checkReferral, type Referral, newMember } from './new-member.ts';
import { checkFields, type CheckedFields, type CheckedValues, orderedCodes } from '../checks/check-fields.ts';

/** One member of a bulk import, as sent. */
export type Imported = z.output<typeof importedMember>;

/** An imported member without failures. */
export interface GoodImport {
  readonly imported: Imported;
  readonly site: Site;
  readonly values: CheckedValues;
  readonly past: Past;
  readonly referral: Referral;
}

/** A refused member: the codes in the order of a registration, none for an unknown site, and the code of each parameter. */
export interface BadImport {
  readonly imported: Imported;
  readonly failcode: readonly number[];
  readonly failed: Readonly<Record<string, number>>;
}

/** Fields that an update takes, but not a registration. */
const laterFields = new Set(['searchable', 'deactivated', 'reason_id']);
const referralNames = ['siteid', 'affiliateid', 'subid'];
/** A registration requires a password; an imported member has its hash, or chooses one by mail. */
const required = requiredFields.filter((name) => name !== 'password');

const isoDate = /^(\d{4})-(\d{2})-(\d{2})$/;
/** Accepts birth dates as clients send them (MM/DD/YYYY), and as YYYY-MM-DD. */
const asSent = (name: string, value: unknown): unknown =>
  name === 'date_of_birth' && typeof value === 'string' ? value.replace(isoDate, '$2/$3/$1') : value;

const moment = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()])
  .transform((text) => new Date(text))
  .refine((date) => date.getUTCFullYear() >= 1990);

const pastSchemas = {
  password_hash: z.string().refine(isPasswordHash),
  userstatus: z.enum(userStatuses),
  date_registered: moment,
  last_seen: moment,
};

type Past = { [Name in keyof typeof pastSchemas]?: z.output<(typeof pastSchemas)[Name]> };

type Parameters = Readonly<Record<string, unknown>>;

/** Checks the facts about the member's past; times must not be in the future. */
function pastOf(parameters: Parameters, { failed }: CheckedFields, now: Date): Past {
  const past: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(pastSchemas)) {
    if (!(name in parameters)) continue;
    const { success, data } = schema.safeParse(parameters[name]);
    if (success && !(data instanceof Date && data > now)) past[name] = data;
    else if (name === 'password_hash') failed.set('password', failCodes.passwordInvalid);
    else failed.set(name, failCodes.valueNotListed);
  }
  return past;
}

const others = new Set([...referralNames, ...Object.keys(pastSchemas)]);

const groupOf = (name: string) => {
  if (laterFields.has(name)) return 'later';
  return others.has(name) ? 'rest' : 'fields';
};

/** Sorts parameters into those that a registration checks, those that an update checks, and the rest. Null means unknown. */
function sortOut({ parameters }: Imported) {
  const sorted: Record<ReturnType<typeof groupOf>, Record<string, unknown>> = {
    fields: {},
    later: {},
    rest: {},
  };
  for (const [spelled, value] of Object.entries(parameters)) {
    if (value === null) continue;
    const name = canonicalName(spelled);
    sorted[groupOf(name)][name] = asSent(name, value);
  }
  return sorted;
}

const hasBadPhoto = ({ photos = [] }: Imported) =>
  photos.some(({ stem, extension }) => !photoStem.test(stem) || !photoExtension.test(extension));

/** Checks an imported member as a registration is checked, all codes at once. */
export function checkImported(imported: Imported, sites: Sites, now: Date): GoodImport | BadImport {
  const { fields, later, rest } = sortOut(imported);
  const siteid = wholeNumber.safeParse(rest['siteid']);
  const site = siteid.success ? sites.get(siteid.data) : undefined;
  if (!site) return { imported, failcode: [], failed: {} };
  const checked = checkNewFields(fields, site, now, required);
  const { failed } = checked;
  const set = checkFields(later, 'update', site, now);
  for (const [name, code] of set.failed) failed.set(name, code);
  if ('password' in fields) failed.set('password', failCodes.unknownField);
  // Members of affiliates that are suspended by now are accepted.
  const referral = checkReferral(rest, checked, new Map());
  const past = pastOf(rest, checked, now);
  if (hasBadPhoto(imported)) failed.set('photos', failCodes.imageUnprocessable);
  if (failed.size) {
    const failcode = [...new Set(orderedCodes(failed, 'register'))];
    return { imported, failcode, failed: Object.fromEntries(failed) };
  }
  return { imported, site, values: { ...checked.values, ...set.values }, past, referral };
}

function photosOf({ photos = [] }: Imported, ids: readonly number[], added_at: Date): Photo[] {
  return photos.flatMap((photo, order) => {
    const id = ids[order];
    return id === undefined
      ? []
      : [{ id, ...photo, status: 'approved' as const, primary: order === 0, order, added_at }];
  });
}

const digestOf = ({ parameters }: Imported): string =>
  hash('sha256', JSON.stringify(parameters), 'base64url');

/** The member document of an import: as a registration creates it, with the facts about its past. */
export function memberFromImport(
  { imported, site, values, past, referral }: GoodImport,
  { id, photoIds, now }: { readonly id: number; readonly photoIds: readonly number[]; readonly now: Date },
): Member {
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
    import_digest: digestOf(imported),
    ...(typeof reason_id === 'number' && { reason_id }),
  });
}

/** Fields of an existing member that stay: auth has the names, and the default of a new member is no change. */
const kept = new Set(['username', 'world_plus', 'searchable']);

/**
 * What a line that differs from the last imported one changes in its member: fields, review status and time of registration.
 * Names, password, photos and activity stay. Undefined for the same line, which does not undo what the member did.
 */
export function changeFromImport(good: GoodImport, member: Member): MemberPatch | undefined {
  const { imported, values, past } = good;
  if (member.deleted || member.import_digest === digestOf(imported)) return undefined;
  const fresh = memberFromImport(good, { id: member._id, photoIds: [], now: member.joined });
  const stated = Object.entries(fresh.fields).filter(([name]) => name in values || !kept.has(name));
  const { fields, pending, approved_answers, flags } = withCheckedTexts({
    ...member,
    fields: { ...member.fields, ...Object.fromEntries(stated), username: textOf(member, 'username') },
    userstatus: past.userstatus ?? member.userstatus,
  });
  return {
    fields,
    pending: { ...member.pending, ...pending },
    approved_answers,
    flags,
    userstatus: past.userstatus ?? member.userstatus,
    joined: past.date_registered ?? member.joined,
    import_digest: fresh.import_digest,
  };
}
