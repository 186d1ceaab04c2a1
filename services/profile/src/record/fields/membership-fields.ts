import { isPlatinum } from '../../members/document/member-values.ts';
import { always, single, type RecordField, type Subject } from './subject.ts';

const isActive = ({ member, now }: Subject) => isPlatinum(member, now);

/** `active` while paid; `inactive` after its end where the renewal failed. */
const status = (subject: Subject) => {
  if (isActive(subject)) return 'active';
  const { status: stored, autorenew } = subject.member.membership;
  return stored !== 'none' && autorenew ? 'inactive' : 'none';
};

const msPerDay = 86_400_000;

const daysRemaining = ({ member, now }: Subject) =>
  Math.ceil(((member.membership.expires_at?.getTime() ?? now.getTime()) - now.getTime()) / msPerDay);

/** The paid membership; its details only for a single profile and only while it is active. */
export const membershipFields: readonly RecordField[] = [
  always('membership_status', status),
  single('autorenew', ({ member }) => member.membership.autorenew, isActive),
  single('daysremaining', daysRemaining, isActive),
  single('expirationdate', ({ member }) => member.membership.expires_at?.toISOString() ?? null, isActive),
];
