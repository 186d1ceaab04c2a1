import { ageOn } from '@covalence/contract/age';
import { zodiacSign } from '@covalence/contract/zodiac';
import { sameGroup } from '../../members/members.ts';
import { gendersOf, isPlatinum, isSearchable, textOf } from '../../members/document/member-values.ts';
import type { Member } from '../../members/document/member.ts';
import { choiceLabel } from './answers.ts';
import { locationText } from './location.ts';
import { always, yesNo, type RecordField } from './subject.ts';

/** First name plus last-name initial (`first_initial`). */
export function firstInitial(member: Member): string {
  const initial = Array.from(textOf(member, 'last_name'))[0];
  return [textOf(member, 'first_name'), initial].filter(Boolean).join(' ');
}

const displayName = (member: Member): string => {
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
