import { identityFields } from './fields/identity-fields.ts';
import { membershipFields } from './fields/membership-fields.ts';
import { ownFields } from './fields/own-fields.ts';
import { relationFields } from './fields/relation-fields.ts';
import type { RecordField, Subject } from './subject.ts';

/** A member record as it is sent (spec 2.3). */
export type MemberRecord = { id: number } & Record<string, unknown>;

/** Every field of the record: nothing outside this table is ever sent. */
export const recordFields: readonly RecordField[] = [
  ...identityFields,
  ...relationFields,
  ...membershipFields,
  ...ownFields,
];

/** Renders the member record, the one place that does: exactly the table's fields of this use. */
export function renderRecord(subject: Subject): MemberRecord {
  const sent = recordFields.filter(
    ({ uses, when }) => uses.includes(subject.use) && (!when || when(subject)),
  );
  const values = sent.map(({ name, value }) => [name, value(subject)] as const);
  return { id: subject.member._id, ...Object.fromEntries(values) };
}
