import { dayMs } from '@covalence/contract/time';
import { localeOf, numberOf, textOf, isPlatinum } from '../../members/document/member-values.ts';
import { type Member, type ModeratedField, pushIdsOf } from '../../members/document/member.ts';
import { own, type RecordField, always, single, type Subject } from './subject.ts';
import { firstInitial } from './identity-fields.ts';

const text = (name: string) => own(name, ({ member }) => textOf(member, name));
const number = (name: string) => own(name, ({ member }) => numberOf(member, name));

/** Present while an update awaits approval. */
const pending = (name: string, field: ModeratedField) =>
  own(
    name,
    ({ member }) => member.pending[field],
    ({ member }) => member.pending[field] !== undefined,
  );

/** A text that waits for review counts as filled. */
const isFilled = ({ fields, pending }: Member, name: string) =>
  fields[name] !== undefined || Object.keys(pending).includes(name);

const dateParts = (member: Member) => {
  const [year, month, day] = textOf(member, 'date_of_birth').split('-').map(Number);
  return { year, month, day };
};

/** Fields that only the member sees. */
export const ownFields: readonly RecordField[] = [
  pending('about_me_moderated', 'about_me'),
  pending('aboutme_moderated', 'about_me'),
  pending('city_moderated', 'city'),
  pending('headline_moderated', 'headline'),
  pending('username_moderated', 'username'),
  own('marital_status_value', ({ member }) => numberOf(member, 'marital_status')),
  own('push_ids', ({ member }) => pushIdsOf(member)),
  text('country'),
  own('dateofbirth', ({ member }) => dateParts(member)),
  own('email', ({ email }) => email),
  own(
    'email_moderated',
    ({ pendingEmail }) => pendingEmail,
    ({ pendingEmail }) => pendingEmail !== undefined,
  ),
  own('date_registered', ({ member }) => member.joined.toISOString()),
  text('first_name'),
  text('last_name'),
  own('first_initial', ({ member }) => firstInitial(member)),
  own('display_name_preference', ({ member }) => textOf(member, 'display_name_preference') || 'nickname'),
  own('locale', ({ member, site }) => localeOf(member, site)),
  own('world_plus', ({ member }) => textOf(member, 'world_plus') || 'undecided'),
  own('record_searches', ({ member }) => member.fields['record_searches'] !== false),
  own('missing_required_fields', ({ member, site }) =>
    site.required_fields.filter((name) => !isFilled(member, name)),
  ),
  own('num_required_fields', ({ site }) => site.required_fields.length),
  number('agefrom'),
  number('ageto'),
  number('latitude'),
  number('longitude'),
];

const isActive = ({ member, now }: Subject) => isPlatinum(member, now);

/** `active` while paid; `inactive` after its end where the renewal failed. */
const status = (subject: Subject) => {
  if (isActive(subject)) return 'active';
  const { status: stored, autorenew } = subject.member.membership;
  return stored !== 'none' && autorenew ? 'inactive' : 'none';
};

const daysRemaining = ({ member, now }: Subject) =>
  Math.ceil(((member.membership.expires_at?.getTime() ?? now.getTime()) - now.getTime()) / dayMs);

/** The paid membership; its details only for a single profile and only while it is active. */
export const membershipFields: readonly RecordField[] = [
  always('membership_status', status),
  single('autorenew', ({ member }) => member.membership.autorenew, isActive),
  single('daysremaining', daysRemaining, isActive),
  single('expirationdate', ({ member }) => member.membership.expires_at?.toISOString() ?? null, isActive),
];
