import { criteria, keywordFields } from '@covalence/contract/catalogue/criteria';
import type { SearchProjection } from '@covalence/contract/search-projection';
import { zodiacSign } from '@covalence/contract/zodiac';
import { postalKey } from '@covalence/contract/postal-code';

/** A member as the index keeps it, with the version that orders its changes. */
export interface MemberDocument {
  readonly id: number;
  /** External version: an older one never overwrites a newer one. */
  readonly version: number;
  readonly source: Readonly<Record<string, unknown>>;
}

const texts = (traits: SearchProjection['traits']): string[] =>
  keywordFields.flatMap((name) => traits[name] ?? []).map(String);

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

const columns = ({ version: _version, deleted: _deleted, traits, ...member }: SearchProjection) => ({
  ...member,
  zip: member.zip === null ? null : postalKey(member.zip, member.country),
  zodiac: zodiacSign(member.date_of_birth),
  platinum_day: member.platinum_until?.slice(0, 10) ?? null,
  keywords: texts(traits),
  traits: matched(traits),
});

/**
 * Renders a projection as its index document. A member who is not to be found, or a tombstone, keeps nothing but the
 * id: the document stays, because a deleted one would forget its version and let old news bring the member back.
 */
export function memberDocument(projection: SearchProjection): MemberDocument {
  const { id, version, visible } = projection;
  const shown = visible && !projection.deleted;
  return { id, version, source: shown ? columns(projection) : { id, visible: false } };
}
