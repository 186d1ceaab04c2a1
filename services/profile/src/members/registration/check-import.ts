import { canonicalName } from '@covalence/contract/catalogue/fields';
import { failCodes } from '@covalence/contract/failure-codes';
import type { importedMember } from '@covalence/contract/peers/profile-api';
import { wholeNumber } from '@covalence/contract/parameters';
import { isPasswordHash } from '@covalence/contract/password-hash';
import { photoExtension, photoStem } from '@covalence/contract/photo-files';
import { userStatuses } from '@covalence/contract/record';
import type { Site, Sites } from '@covalence/contract/sites';
import { z } from 'zod';
import { requiredFields } from '@covalence/contract/registration-fields';
import { checkNewFields, checkReferral, type Referral } from './new-member.ts';
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
const laterFields = new Set(['searchable', 'deactivated', 'reason_id', 'record_searches']);
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
