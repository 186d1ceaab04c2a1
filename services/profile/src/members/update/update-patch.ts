import { invalidArgument } from '@covalence/contract/failure';
import type { Site } from '@covalence/contract/sites';
import {
  isStoredField,
  applied,
  pendingText,
  pick,
  textOf,
  without,
  isFreeTextAnswer,
  reviewedValue,
} from '../document/member-values.ts';
import type { MemberPatch } from '../store/member-store.ts';
import type { Member } from '../document/member.ts';
import { contactDataOf, isModerated } from '../checks/check-texts.ts';
import { statusAfter } from '../document/account-status.ts';
import { movedAfter } from '../places/price-country.ts';
import { movedPlace, placeFields, townFields, withStateName } from '../places/complete-place.ts';
import {
  type CheckedValues,
  checkFields,
  codeOfField,
  type CheckedFields,
  textIn,
} from '../checks/check-fields.ts';
import type { StoredValue } from '@covalence/contract/catalogue/check-value';
import { failCodes } from '@covalence/contract/failure-codes';
import { isPostalCode } from '@covalence/contract/postal-code';

type Parameters = Readonly<Record<string, unknown>>;

/** Requires both coordinates, or a country (the member's own by default) with at least one of city, state and zip. */
function checkPlace(sent: Parameters, member: Member, { values, failed }: CheckedFields): void {
  if ('latitude' in sent || 'longitude' in sent) return;
  const namesPlace = townFields.some((name) => name in sent);
  const country = textOf(member, 'country');
  if (namesPlace && !('country' in sent) && !country) failed.set('country', codeOfField('country', 'update'));
  const moves = 'country' in values && values['country'] !== country;
  if (!moves || namesPlace) return;
  for (const name of townFields) failed.set(name, codeOfField(name, 'update'));
}

/** Whether a checked value differs from what the member has. */
export function differs(member: Member, name: string, value: StoredValue | undefined): boolean {
  return JSON.stringify(member.fields[name] ?? null) !== JSON.stringify(value ?? null);
}

/** The codes of limited changes that a member has used up. */
const exceededCodes = {
  gender: failCodes.genderChangesExceeded,
  date_of_birth: failCodes.birthDateChangesExceeded,
} as const;

type LimitedField = keyof typeof exceededCodes;

const limitedFields = ['gender', 'date_of_birth'] as const satisfies readonly LimitedField[];

/** Whether a change of a limited field is one too many. */
function exceeds(member: Member, name: LimitedField, value: StoredValue, site: Site): boolean {
  const limits = { gender: site.gender_changes, date_of_birth: site.dateofbirth_changes };
  return differs(member, name, value) && member.changes[name] >= limits[name];
}

/** A new postal code must have the format of its country (20301). A registration accepts any. */
function checkPostalCode({ values, failed }: CheckedFields, member: Member, country: StoredValue): void {
  const { zip } = values;
  if (typeof zip !== 'string' || typeof country !== 'string') return;
  const isNew = differs(member, 'zip', zip) || differs(member, 'country', country);
  if (isNew && !isPostalCode(zip, country)) failed.set('zip', codeOfField('zip', 'update'));
}

/** Checks a profile update, except whether username and email are taken. */
export function checkUpdate(sent: Parameters, member: Member, site: Site, now: Date): CheckedFields {
  const { values: sentValues, failed } = checkFields(sent, 'update', site, now);
  const values = withStateName(sentValues, textIn(sentValues, 'country') ?? textOf(member, 'country'));
  const checked: CheckedFields = { values, failed };
  for (const name of limitedFields) {
    const value = values[name];
    if (value !== undefined && !failed.has(name) && exceeds(member, name, value, site)) {
      failed.set(name, exceededCodes[name]);
    }
  }
  checkPlace(sent, member, checked);
  // Coordinates can imply another country.
  const { country = textOf(member, 'country') } = movedPlace({ ...member.fields }, values);
  checkPostalCode(checked, member, country);
  return checked;
}

/** Pending texts after the update of `member`: a new value waits, and the current value sent again withdraws what waits. */
const pendingAfter = (member: Member, waiting: CheckedValues): Member['pending'] =>
  pick<StoredValue>({ ...member.pending, ...waiting }, (name, value) => differs(member, name, value));

type Flags = NonNullable<Member['flags']>;

/** Flags after the update: contact data in its texts, and earlier flags that staff have not reviewed. */
const flagsAfter = (member: Member, values: CheckedValues): Flags => {
  const country = values['country'] ?? textOf(member, 'country');
  const flags: Record<string, Flags[string]> = { ...member.flags };
  for (const [name, value] of Object.entries(values)) {
    const waiting = pendingText(member, name);
    const isCurrent = (reviewedValue(member, name) ?? null) === value;
    const isKnown = waiting === undefined ? isCurrent : value === waiting;
    if (isKnown) continue;
    delete flags[name];
    // The current value sent again withdraws what waits, and was reviewed before.
    const kinds = isCurrent ? [] : contactDataOf(name, value, String(country));
    if (kinds.length) flags[name] = kinds;
  }
  return flags;
};

/**
 * The free-text answers that others read after an update. A changed one is approved at once on a site that reviews
 * automatically, unless it has contact data. Otherwise the earlier one stays until the review.
 */
function approvedAfter(
  { approved_answers: before = {} }: Member,
  changed: CheckedValues,
  atOnce: (name: string) => boolean,
): Member['approved_answers'] {
  const approved: Record<string, string> = { ...before };
  for (const name of Object.keys(changed).filter(isFreeTextAnswer)) {
    const text = changed[name];
    if (typeof text !== 'string') delete approved[name];
    else if (atOnce(name)) approved[name] = text;
  }
  return approved;
}

/** Names of the place fields that were sent with, or after, the city that waits. */
function placeAfter(member: Member, pending: Member['pending'], values: CheckedValues) {
  if (pending.city === undefined) return undefined;
  const before = pending.city === member.pending.city ? member.pending_place : undefined;
  const sent = placeFields.filter((name) => name !== 'city' && name in values);
  return [...new Set([...(before ?? []), ...sent])];
}

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

const countChanges = (member: Member, values: CheckedValues, site: Site): Member['changes'] => {
  const counts = { ...member.changes };
  for (const name of limitedFields) {
    const value = values[name];
    if (value === undefined || !differs(member, name, value)) continue;
    if (exceeds(member, name, value, site)) throw invalidArgument(exceededCodes[name]);
    counts[name] += 1;
  }
  return counts;
};

/**
 * Fields and texts after checked values of fields, or undefined where these change nothing. Moderated texts wait on a
 * site with manual review, and on other sites where they have contact data.
 */
export function editPatch(member: Member, values: CheckedValues, site: Site): MemberPatch | undefined {
  const flags = flagsAfter(member, values);
  const atOnce = (name: string) => site.review === 'automatic' && !(name in flags);
  // A current value was reviewed before: sent again it applies at once, as a city name in another state does.
  const waits = (name: string) => isModerated(name) && differs(member, name, values[name]) && !atOnce(name);
  const applicable = pick(values, (name) => !waits(name));
  const changed = pick(applicable, (name) => differs(member, name, applicable[name]));
  const changes = { ...changed, ...movedPlace({ ...member.fields }, applicable) };
  const fields = applied(member.fields, changes);
  const withdrawn = pick(values, (name) => name in member.pending && !waits(name));
  const pending = without(pendingAfter({ ...member, fields }, pick(values, waits)), Object.keys(withdrawn));
  const isEdited =
    Object.keys(changes).length > 0 || JSON.stringify(pending) !== JSON.stringify(member.pending);
  if (!isEdited) return undefined;
  return {
    fields,
    pending,
    approved_answers: approvedAfter(member, changed, atOnce),
    pending_place: placeAfter(member, pending, values),
    flags,
  };
}

/**
 * The patch of an update with checked values, or undefined where it changes nothing. An edit by a rejected member
 * requests a new review.
 */
export function updatePatch(member: Member, values: CheckedValues, site: Site, now: Date) {
  const fieldValues = pick(values, isStoredField);
  const edit = editPatch(member, fieldValues, site);
  const patch: MemberPatch = {
    ...settingsPatch(member, values, now),
    ...(edit && {
      ...edit,
      ...movedAfter(member, edit.fields, now),
      changes: countChanges(member, fieldValues, site),
      userstatus: statusAfter(member, 'edit').userstatus,
    }),
  };
  return Object.keys(patch).length ? patch : undefined;
}
