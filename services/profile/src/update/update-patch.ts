import { invalidArgument } from '@covalence/contract/failure';
import type { Site } from '@covalence/contract/sites';
import { isStoredField } from '../members/member-fields.ts';
import type { MemberPatch } from '../members/member-store.ts';
import { movedPlace } from '../places/complete-place.ts';
import type { FieldValues, Member, ModeratedField } from '../members/member.ts';
import type { CheckedValues } from '../validation/check-fields.ts';
import { differs, exceededCodes, exceeds, limitedFields } from './check-update.ts';

const moderated = new Set<string>(['headline', 'about_me', 'city', 'username'] satisfies ModeratedField[]);

const applied = (fields: FieldValues, values: CheckedValues): FieldValues => {
  const removed = Object.keys(values).filter((name) => values[name] === null);
  const kept = Object.entries({ ...fields, ...values }).filter(([name]) => !removed.includes(name));
  return Object.fromEntries(kept) as FieldValues;
};

const pick = (values: CheckedValues, wanted: (name: string) => boolean): CheckedValues =>
  Object.fromEntries(Object.entries(values).filter(([name]) => wanted(name)));

/** Pending texts after an update: a new value waits, the current one sent again withdraws what waits (spec 3.1). */
const pendingAfter = (member: Member, waiting: CheckedValues): Member['pending'] => {
  const entries = Object.entries({ ...member.pending, ...waiting });
  return Object.fromEntries(entries.filter(([name, value]) => differs(member, name, value)));
};

const settingsPatch = (member: Member, values: CheckedValues, now: Date): MemberPatch => {
  const { online, deactivated, reason_id } = values;
  return {
    ...(typeof online === 'boolean' &&
      online === member.presence.offline && { presence: { ...member.presence, offline: !online } }),
    ...(deactivated === true &&
      !member.deactivated && {
        deactivated: true,
        deactivation_changed_at: now,
        ...(typeof reason_id === 'number' && { reason_id }),
      }),
  };
};

const countChanges = (member: Member, changes: CheckedValues, site: Site): Member['changes'] => {
  const counts = { ...member.changes };
  for (const name of limitedFields) {
    const value = changes[name];
    if (value === undefined) continue;
    if (exceeds(member, name, value, site)) throw invalidArgument(exceededCodes[name]);
    counts[name] += 1;
  }
  return counts;
};

/**
 * What an update with checked values changes on a member (spec 4.5, D15, D16, D21), or undefined where it changes
 * nothing. On a site with manual review moderated texts wait; an edit by a rejected member asks for review again.
 */
export function updatePatch(
  member: Member,
  values: CheckedValues,
  site: Site,
  now: Date,
): MemberPatch | undefined {
  const waits = (name: string) => site.review === 'manual' && moderated.has(name);
  const fieldValues = pick(values, isStoredField);
  const applicable = pick(fieldValues, (name) => !waits(name));
  const changed = pick(applicable, (name) => differs(member, name, applicable[name]));
  const changes = { ...changed, ...movedPlace({ ...member.fields }, applicable) };
  const waiting = pick(fieldValues, waits);
  const pending = pendingAfter(member, waiting);
  const isEdited =
    Object.keys(changes).length > 0 || JSON.stringify(pending) !== JSON.stringify(member.pending);
  const patch: MemberPatch = {
    ...settingsPatch(member, values, now),
    ...(isEdited && {
      fields: applied(member.fields, changes),
      pending,
      changes: countChanges(member, changes, site),
      ...(member.userstatus === 'rejected' && { userstatus: 'new' as const }),
    }),
  };
  return Object.keys(patch).length ? patch : undefined;
}
