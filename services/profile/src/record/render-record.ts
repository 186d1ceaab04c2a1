import type { RecordUse } from '@covalence/contract/record';
import { listedRecordSchema, ownRecordSchema, singleRecordSchema } from '@covalence/contract/member-record';
import { z } from 'zod';
import type { MemberRecord } from '../members/members.ts';
import type { MemberPart } from '../members/store/member-store.ts';
import { answerRecordFields } from './fields/answers.ts';
import { identityFields } from './fields/identity-fields.ts';
import { membershipFields, ownFields } from './fields/own-fields.ts';
import { relationFields } from './fields/relation-fields.ts';
import type { RecordField, Subject } from './fields/subject.ts';

/** Every field of the record: nothing outside this table is ever sent. */
const recordFields: readonly RecordField[] = [
  ...identityFields,
  ...relationFields,
  ...membershipFields,
  ...ownFields,
  ...answerRecordFields,
];

const fieldsFor = (use: RecordUse) => recordFields.filter(({ uses }) => uses.includes(use));

const fieldsByUse: Readonly<Record<RecordUse, readonly RecordField[]>> = {
  self: fieldsFor('self'),
  single: fieldsFor('single'),
  search: fieldsFor('search'),
};

/** Renders the member record: exactly the table's fields of its use. */
export function renderRecord(subject: Subject): MemberRecord {
  const record: MemberRecord = { id: subject.member._id };
  for (const { name, value, when } of fieldsByUse[subject.use]) {
    if (!when || when(subject)) record[name] = value(subject);
  }
  return record;
}

/** The own record as an answer. */
export const ownRecordOutput: z.ZodType<MemberRecord> = ownRecordSchema;

/** One record as an answer: the own one, or another's as a single profile. */
export const anyRecordOutput: z.ZodType<MemberRecord> = z
  .union([ownRecordSchema, singleRecordSchema])
  .meta({ id: 'MemberRecord' });

/** Another's record in a list. */
export const listedRecordOutput: z.ZodType<MemberRecord> = listedRecordSchema;

/** Another's record in a list, with when they came into it. */
export const timedRecordOutput: z.ZodType<MemberRecord & { at: string }> = listedRecordSchema
  .extend({ at: z.iso.datetime() })
  .meta({ id: 'ActivityMember' });

/** The parts of a member that search records and their eligibility depend on, beside the fields. A page of results reads only these. */
export const partsOfSearchRecords = [
  '_id',
  'deactivated',
  'deleted',
  'erase_at',
  'member_id',
  'membership',
  'photos.extension',
  'photos.id',
  'photos.order',
  'photos.primary',
  'photos.private',
  'photos.sizes',
  'photos.status',
  'photos.suspected',
  'presence',
  'public_photos',
  'siteid',
  'suspected',
  'suspended',
  'userstatus',
] as const satisfies readonly MemberPart[];

/** The fields of the catalogue that they depend on. */
export const fieldsOfSearchRecords: readonly string[] = [
  'about_me',
  'city',
  'country',
  'date_of_birth',
  'display_name_preference',
  'first_name',
  'gender',
  'gender_preference',
  'headline',
  'last_name',
  'latitude',
  'locale',
  'longitude',
  'marital_status',
  'p_mood',
  'searchable',
  'state',
  'username',
  'world_plus',
  'zip',
];
