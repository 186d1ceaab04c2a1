import { canonicalName } from '@covalence/contract/catalogue/fields';
import type { importedMember } from '@covalence/contract/internal/profile-api';
import { isMap } from '@covalence/contract/is-map';
import { v5 } from 'uuid';
import { z } from 'zod';

/** One member as the profile service takes it in an import. */
export type ImportedMember = z.input<typeof importedMember>;

/** A whole number that JSON readers round is another one's, too. */
const isExact = (id: number) => !Number.isInteger(id) || Number.isSafeInteger(id);

const lineSchema = z.looseObject({
  external_id: z.union([z.string().trim().min(1).max(200), z.number().refine(isExact)]).transform(String),
});

/** One member as a line of an import has it: an id of the system it comes from, a siteid, and what a registration takes. */
export type MemberLine = z.output<typeof lineSchema>;

/** What a line's text holds: a member, or the problem that it is none. */
export type ParsedLine = { readonly member: MemberLine } | { readonly problem: string };

/** Any fixed UUID: it keeps these names apart from those of other uses. */
const nameSpace = '0b6f1d0e-6c35-4a3c-9d6e-4f1f2f6c7a11';

/** The site in whatever spelling the line has it. */
const siteidOf = (line: MemberLine): unknown =>
  Object.entries(line).findLast(([name]) => canonicalName(name) === 'siteid')?.[1];

/** The UUID of a member: the same for the same site and external id, so that an import can be repeated. */
export function memberIdOf(line: MemberLine): string {
  return v5(`${String(siteidOf(line))}/${line.external_id}`, nameSpace);
}

/** A line as the profile service takes it. */
export function importedOf(line: MemberLine): ImportedMember {
  const { external_id: _, ...parameters } = line;
  return { member_id: memberIdOf(line), parameters };
}

/** Reads a line's text; what is in the parameters is for the profile service to judge. */
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
      'external_id is missing, not 1 to 200 characters long, or a number of more than 15 digits, which has to be a text',
  };
}
