import { ageOn } from '@covalence/contract/age';
import { zodiacSign } from '@covalence/contract/zodiac';
import { sameGroup } from '../../members/members.ts';
import {
  gendersOf,
  isPlatinum,
  isSearchable,
  textOf,
  positionOf,
} from '../../members/document/member-values.ts';
import type { Member } from '../../members/document/member.ts';
import { choiceLabel } from './answers.ts';
import { always, yesNo, type RecordField, type Subject } from './subject.ts';
import { countryNames } from '@covalence/contract/catalogue/country-names';
import { milesBetween } from '@covalence/contract/position';
import type { ShownPosition } from '../../members/places/shown-position.ts';

const nearMiles = 50;

type Seen = Pick<Subject, 'member' | 'viewer' | 'shownPosition'>;

function milesApart(member: Member, viewer: Member, shownPosition: ShownPosition): number | null {
  const [from, to] = [positionOf(viewer), shownPosition(member)];
  return from && to ? milesBetween(from, to) : null;
}

type Nearness = 'abroad' | 'country' | 'near';

/** The viewer's nearness: abroad, in the country, or near (same city, or within 50 miles). */
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
function locationText(seen: Seen & Pick<Subject, 'locale'>): string {
  const { member, locale } = seen;
  return texts[nearness(seen)](member, () => countryNames(locale)(textOf(member, 'country')));
}

/** First name plus last-name initial (`first_initial`). */
export function firstInitial(member: Member): string {
  const initial = Array.from(textOf(member, 'last_name'))[0];
  return [textOf(member, 'first_name'), initial].filter(Boolean).join(' ');
}

/** The name that others see: by the member's choice the first name with an initial, or the username. */
export const displayName = (member: Member): string => {
  const byFirstName = member.fields['display_name_preference'] === 'firstname';
  return (byFirstName && firstInitial(member)) || textOf(member, 'username');
};

const text = (name: string, field = name) => always(name, ({ member }) => textOf(member, field));

const secondsPerDay = 86_400;

/** The fields that everyone who may see the profile gets. */
export const identityFields: readonly RecordField[] = [
  always('id', ({ member }) => member._id),
  always('member_id', ({ member }) => member.member_id),
  text('about_me'),
  text('aboutme', 'about_me'),
  always('age', ({ member, now }) => ageOn(textOf(member, 'date_of_birth'), now)),
  text('city'),
  always('display_name', ({ member }) => displayName(member)),
  always('from_world_plus', ({ site, viewerSite }) => sameGroup(viewerSite, site)),
  always('gender', ({ member }) => gendersOf(member).gender),
  always('gender_preference', ({ member }) => gendersOf(member).preference),
  always('genderpreference', ({ member }) => gendersOf(member).preference),
  text('headline'),
  always('location', locationText),
  always('marital_status', ({ member, locale }) => choiceLabel(member, 'marital_status', locale)),
  always('maritalstatus', ({ member, locale }) => choiceLabel(member, 'marital_status', locale)),
  always('mood', ({ member, locale }) => choiceLabel(member, 'p_mood', locale)),
  always('online', ({ presence }) => presence.online),
  ...['online_recently', 'onlinerecently'].map((name) =>
    always(name, ({ presence: { sinceActive }, site }) =>
      yesNo(sinceActive >= 0 && sinceActive <= site.online_recently_days * secondsPerDay),
    ),
  ),
  always('since_active', ({ presence }) => presence.sinceActive),
  always('platinum', ({ member, now }) => yesNo(isPlatinum(member, now))),
  always('searchable', ({ member }) => isSearchable(member)),
  always('site', ({ site }) => site.siteid),
  always('site_url', ({ site }) => site.url),
  text('state'),
  always('title', ({ site }) => site.title),
  text('username'),
  always('userstatus', ({ member }) => member.userstatus),
  text('zip'),
  text('zippostalcode', 'zip'),
  always(
    'zodiac',
    ({ member }) => zodiacSign(textOf(member, 'date_of_birth')),
    ({ site }) => site.zodiac,
  ),
];
