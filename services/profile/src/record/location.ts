import { countryNames } from '@covalence/contract/catalogue/country-names';
import { milesBetween } from '@covalence/contract/position';
import { positionOf, textOf } from '../members/member-values.ts';
import type { Member } from '../members/member.ts';

const nearMiles = 50;

/** Distance in miles; null where either position is unknown. */
function milesApart(one: Member, other: Member): number | null {
  const [from, to] = [positionOf(one), positionOf(other)];
  return from && to ? milesBetween(from, to) : null;
}

type Nearness = 'abroad' | 'country' | 'near';

/** How near a viewer is: abroad, in the country, or near by (same city, or within 50 miles). */
function nearness(member: Member, viewer: Member): Nearness {
  if (textOf(member, 'country') !== textOf(viewer, 'country')) return 'abroad';
  const miles = milesApart(member, viewer);
  const city = textOf(member, 'city');
  const sameCity =
    city !== '' && city === textOf(viewer, 'city') && textOf(member, 'state') === textOf(viewer, 'state');
  return sameCity || (miles !== null && miles <= nearMiles) ? 'near' : 'country';
}

const joined = (...parts: string[]) => parts.filter(Boolean).join(', ');

const place = (member: Member) => joined(textOf(member, 'city'), textOf(member, 'state'));

/** The name of the country is looked up where it is written, which for most of a page of results it is not. */
const texts: Record<Nearness, (member: Member, country: () => string) => string> = {
  abroad: (member, country) => joined(textOf(member, 'state') || textOf(member, 'city'), country()),
  country: (member, country) => place(member) || country(),
  near: (member, country) => [place(member), textOf(member, 'zip')].filter(Boolean).join(' ') || country(),
};

/**
 * Display text of where a member lives, more detailed when members are closer together (spec 2.3): region and country
 * abroad, city and region within the country, with the postal code near by.
 */
export function locationText(member: Member, viewer: Member, locale: string): string {
  return texts[nearness(member, viewer)](member, () => countryNames(locale)(textOf(member, 'country')));
}
