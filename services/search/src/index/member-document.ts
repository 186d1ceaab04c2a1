import { criteria, keywordFields } from '@covalence/contract/catalogue/criteria';
import { isMap } from '@covalence/contract/is-map';
import { postalKey } from '@covalence/contract/postal-code';
import type { SearchProjection } from '@covalence/contract/search-projection';
import { zodiacSign } from '@covalence/contract/zodiac';
import { drawOf } from './draws.ts';

/** A member's document in the index. */
export interface MemberDocument {
  readonly id: number;
  /** External version: an older one never overwrites a newer one. */
  readonly version: number;
  readonly source: Readonly<Record<string, unknown>>;
}

/** Fields that criteria match on their own; the other texts are only found by keywords. */
const matchedFields = new Set(criteria.flatMap(({ field }) => field ?? []));

const matched = (traits: SearchProjection['traits']): SearchProjection['traits'] => {
  const found: SearchProjection['traits'] = {};
  for (const name in traits) {
    const value = traits[name];
    if (value !== undefined && matchedFields.has(name)) found[name] = value;
  }
  return found;
};

/** The source of a member who can be found. */
export const sourceOf = ({
  version: _version,
  deleted: _deleted,
  recorded: _recorded,
  was_hidden: _hidden,
  traits,
  ...member
}: SearchProjection) => ({
  ...member,
  zip: member.zip === null ? null : postalKey(member.zip, member.country),
  zodiac: zodiacSign(member.date_of_birth),
  platinum_day: member.platinum_until?.slice(0, 10) ?? null,
  answers: Object.keys(traits).length,
  draw: drawOf(member.id),
  keywords: keywordFields.flatMap((name) => traits[name] ?? []).map(String),
  traits: matched(traits),
});

/** The source of a member who can be found. */
export type VisibleSource = ReturnType<typeof sourceOf>;

/** A stored source; undefined where it is of a hidden member. */
export const visibleSource = (source: unknown): VisibleSource | undefined =>
  isMap(source) && source['visible'] === true ? (source as VisibleSource) : undefined;

/** The source of a member who is hidden, deleted or unknown. */
export const hiddenSource = (id: number) => ({ id, visible: false });

/**
 * Renders a projection as its index document. Hidden and deleted members keep a document with their id, because
 * a deleted document would forget its version, and a late event would restore the member.
 */
export function memberDocument(projection: SearchProjection): MemberDocument {
  const { id, version, visible } = projection;
  const shown = visible && !projection.deleted;
  return { id, version, source: shown ? sourceOf(projection) : hiddenSource(id) };
}
