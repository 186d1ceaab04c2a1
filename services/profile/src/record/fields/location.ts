import { countryNames } from '@covalence/contract/catalogue/country-names';
import { milesBetween } from '@covalence/contract/position';
import { positionOf, textOf } from '../../members/document/member-values.ts';
import type { Member } from '../../members/document/member.ts';
import type { ShownPosition } from '../../members/places/shown-position.ts';
import type { Subject } from './subject.ts';

const nearMiles = 50;

type Seen = Pick<Subject, 'member' | 'viewer' | 'shownPosition'>;

function milesApart(member: Member, viewer: Member, shownPosition: ShownPosition): number | null {
  const [from, to] = [positionOf(viewer), shownPosition(member)];
  return from && to ? milesBetween(from, to) : null;
}

type Nearness = 'abroad' | 'country' | 'near';

/** How near a viewer is: abroad, in the country, or near by (same city, or within 50 miles). */
function nearness({ member, viewer, shownPosition }: Seen): Nearness {
  if (textOf(member, 'country') !== textOf(viewer, 'country')) return 'abroad';
  const city = textOf(member, 'city');
  const sameCity =
    city !== '' && city === textOf(viewer, 'city') && textOf(member, 'state') === textOf(viewer, 'state');
  if (sameCity) return 'near';
  const miles = milesApart(member, viewer, shownPosition);
  return miles !== null && miles <= nearMiles ? 'near' : 'country';
}

const joined = (...parts: string[]) => parts.filter(Boolean).join(', ');

const place = (member: Member) => joined(textOf(member, 'city'), textOf(member, 'state'));

/** The country name is looked up only where the text contains it. */
const texts: Record<Nearness, (member: Member, country: () => string) => string> = {
  abroad: (member, country) => joined(textOf(member, 'state') || textOf(member, 'city'), country()),
  country: (member, country) => place(member) || country(),
  near: (member, country) => [place(member), textOf(member, 'zip')].filter(Boolean).join(' ') || country(),
};

/**
 * The display text of a member's location, more detailed when the viewer is closer: region and country abroad, city
 * and region in the same country, with the postal code near by. It uses the displaced position, because a moving
 * viewer could otherwise find the real one.
 */
export function locationText(seen: Seen & Pick<Subject, 'locale'>): string {
  const { member, locale } = seen;
  return texts[nearness(seen)](member, () => countryNames(locale)(textOf(member, 'country')));
}
