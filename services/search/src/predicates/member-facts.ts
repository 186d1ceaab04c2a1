import { isDeepStrictEqual } from 'node:util';
import { visibleSource, type VisibleSource } from '../index/member-document.ts';

/** Columns that alerts read of a member: none that changes with every activity. */
const asked = [
  'id',
  'siteid',
  'group',
  'world_plus',
  'gender',
  'gender_preference',
  'date_of_birth',
  'zodiac',
  'joined',
  'position',
  'country',
  'state',
  'zip',
  'keywords',
  'traits',
] as const satisfies readonly (keyof VisibleSource)[];

/** The facts that alerts read of a member. */
export type MemberFacts = Pick<VisibleSource, (typeof asked)[number]>;

/** Reads the facts from the source of an index document; undefined for a hidden member. */
export function factsOf(source: unknown): MemberFacts | undefined {
  const visible = visibleSource(source);
  return (
    visible && (Object.fromEntries(asked.map((name) => [name, visible[name]])) as unknown as MemberFacts)
  );
}

const placeOf = ({ position, country, state, zip }: MemberFacts) => ({ position, country, state, zip });

/** Whether nothing changed that an alert asks for. */
export const isSame = (before: MemberFacts, after: MemberFacts): boolean => isDeepStrictEqual(before, after);

/** Whether a member is somewhere else than before. */
export const hasMoved = (before: MemberFacts, after: MemberFacts): boolean =>
  !isDeepStrictEqual(placeOf(before), placeOf(after));
