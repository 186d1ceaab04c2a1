import type { Site } from '@covalence/contract/sites';
import { nextVersion } from '@covalence/events/new-event';
import { isStoredField } from '../document/member-values.ts';
import type { FieldValue, FieldValues, Member } from '../document/member.ts';
import { completePlace } from '../places/complete-place.ts';
import type { CheckedValues } from '../checks/check-fields.ts';
import type { Referral } from './check-registration.ts';

/** The identity of a new member. */
export interface Identity {
  readonly id: number;
  readonly memberId: string;
  readonly site: Site;
  readonly referral?: Referral;
}

/** The checked values that are stored in a member's fields. */
export function storedFields(values: CheckedValues): FieldValues {
  const set = Object.entries(values).filter(
    (entry): entry is [string, FieldValue] => entry[1] !== null && isStoredField(entry[0]),
  );
  return Object.fromEntries(set);
}

/** A new member document with a completed place; approved at once where the site reviews automatically. */
export function newMember(
  { id, memberId, site, referral }: Identity,
  values: CheckedValues,
  now: Date,
): Member {
  return {
    _id: id,
    member_id: memberId,
    siteid: site.siteid,
    version: nextVersion(undefined, now),
    joined: now,
    userstatus: site.review === 'automatic' ? 'approved' : 'new',
    fields: { world_plus: 'undecided', ...storedFields(completePlace(values)), searchable: true },
    pending: {},
    photos: [],
    membership: { status: 'none', autorenew: false, expires_at: null, version: 0 },
    presence: { last_seen: now, offline: values['online'] === false },
    deactivated: false,
    suspended: false,
    deleted: false,
    changes: { gender: 0, date_of_birth: 0 },
    ...referral,
  };
}
