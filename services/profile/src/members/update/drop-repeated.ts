import { canonicalName, fieldByName } from '@covalence/contract/catalogue/fields';
import { ownRecordSchema } from '@covalence/contract/member-record';
import { isDeepStrictEqual } from 'node:util';
import { pairs } from '../checks/check-fields.ts';
import { pick } from '../document/member-values.ts';
import type { Member } from '../document/member.ts';
import type { MembersContext } from '../members.ts';
import { townFields } from '../places/complete-place.ts';

type Parameters = Readonly<Record<string, unknown>>;

/** Fields of a record outside of the catalogue: an update cannot change them. */
const readOnly = new Set(
  Object.keys(ownRecordSchema.shape)
    .map(canonicalName)
    .filter((name) => !fieldByName(name)),
);

/** A form has texts for numbers and booleans, and an empty text for null. */
const asText = (value: unknown): unknown => {
  if (value === null || value === undefined) return '';
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
};

/** The fields whose edit needs this one too: the other of a pair, and the town of a new country. */
const companionOf = (name: string): readonly string[] => [
  ...pairs.filter((pair) => pair.includes(name)).flat(),
  ...(townFields.includes(name) ? ['country'] : []),
];

/**
 * The parameters of an update without what they only repeat. A body with the member's own `member_id` is the own record
 * sent back: values that the record has now are no changes, although an update alone may refuse them or, beside a text
 * that waits, withdraw it. They stay where the edit of another field needs them.
 */
export async function dropRepeated(
  context: MembersContext,
  member: Member,
  sent: Parameters,
): Promise<Parameters> {
  if (sent['member_id'] !== member.member_id) return sent;
  const shown = Object.entries(await context.members.ownRecord(member));
  const record = new Map(shown.map(([name, value]) => [canonicalName(name), value]));
  const isRepeated = (name: string, value: unknown) =>
    record.has(name) && isDeepStrictEqual(asText(value), asText(record.get(name)));
  const isEdited = (name: string) => name in sent && !readOnly.has(name) && !isRepeated(name, sent[name]);
  const isWanted = (name: string) => isEdited(name) || companionOf(name).some(isEdited);
  return pick(sent, isWanted);
}
