import { canonicalName } from '@covalence/contract/catalogue/fields';
import type { importedMember } from '@covalence/contract/peers/profile-api';
import { isMap } from '@covalence/contract/is-map';
import { v5 } from 'uuid';
import { z } from 'zod';

/** A member in the format of the profile service. */
export type ImportedMember = z.input<typeof importedMember>;

/** JSON parsers round larger whole numbers, so that two ids could become the same. */
const isExact = (id: number) => !Number.isInteger(id) || Number.isSafeInteger(id);

const lineSchema = z.looseObject({
  external_id: z.union([z.string().trim().min(1).max(200), z.number().refine(isExact)]).transform(String),
});

/** A line of an import: an id of the system it comes from, and the parameters of a registration. */
type MemberLine = z.output<typeof lineSchema>;

/** A parsed line. */
type ParsedLine = { readonly member: MemberLine } | { readonly problem: string };

/** A fixed, random namespace of UUIDs. */
const nameSpace = '0b6f1d0e-6c35-4a3c-9d6e-4f1f2f6c7a11';

/** The siteid, in any spelling of the parameter. */
const siteidOf = (line: MemberLine): unknown =>
  Object.entries(line).findLast(([name]) => canonicalName(name) === 'siteid')?.[1];

/** The UUID of a member, derived from site and external id, so that an import can be repeated. */
export function memberIdOf(line: MemberLine): string {
  return v5(`${String(siteidOf(line))}/${line.external_id}`, nameSpace);
}

/** Converts a line to the format of the profile service. */
export function importedOf(line: MemberLine): ImportedMember {
  const { external_id: _, ...parameters } = line;
  return { member_id: memberIdOf(line), parameters };
}

/** Parses a line; the profile service validates the parameters. */
export function parseLine(text: string): ParsedLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: 'not JSON' };
  }
  if (!isMap(value)) return { problem: 'not a JSON object' };
  const line = lineSchema.safeParse(value);
  if (line.success) return { member: line.data };
  return {
    problem:
      'external_id is missing, not 1 to 200 characters long, or a number of more than 15 digits, which must be a string',
  };
}
