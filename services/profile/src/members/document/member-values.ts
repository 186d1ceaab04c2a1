import { freeTextAnswers } from '@covalence/contract/catalogue/answers';
import type { StoredValue } from '@covalence/contract/catalogue/check-value';
import type { Position } from '@covalence/contract/position';
import type { Gender } from '@covalence/contract/record';
import type { Site } from '@covalence/contract/sites';
import type { FieldValue, Member, FieldValues } from './member.ts';

const freeTexts: ReadonlySet<string> = new Set(freeTextAnswers);

/** Whether a field is a free-text answer, which is reviewed before others read it. */
export function isFreeTextAnswer(name: string): boolean {
  return freeTexts.has(name);
}

type Answered = Pick<Member, 'fields' | 'approved_answers'>;

/** The value of a field that others may read: the reviewed one of a free-text answer, else the current one. */
export function reviewedValue({ fields, approved_answers }: Answered, name: string): FieldValue | undefined {
  return isFreeTextAnswer(name) ? approved_answers?.[name] : fields[name];
}

/** The text of a free-text answer that waits for review, or undefined. */
export function waitingAnswer(member: Answered, name: string): string | undefined {
  const text = member.fields[name];
  const waits = isFreeTextAnswer(name) && typeof text === 'string' && text !== reviewedValue(member, name);
  return waits ? text : undefined;
}

/** Names of the free-text answers that wait for review. */
export function waitingAnswers(member: Answered): string[] {
  return Object.keys(member.fields).filter((name) => waitingAnswer(member, name) !== undefined);
}

/** The current text of every free-text answer but those named: what a review of the profile approves. */
export function answersToApprove({ fields }: Pick<Member, 'fields'>, except: readonly string[] = []) {
  const texts = Object.entries(fields).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && isFreeTextAnswer(entry[0]) && !except.includes(entry[0]),
  );
  return Object.fromEntries(texts);
}

/** A text field's value, '' where unset. */
export function textOf(member: Pick<Member, 'fields'>, name: string): string {
  const value = member.fields[name];
  return typeof value === 'string' ? value : '';
}

/** The text of a field that waits for a review. */
export function pendingText(member: Member, field: string): string | undefined {
  return (member.pending as Readonly<Record<string, string>>)[field] ?? waitingAnswer(member, field);
}

/** The reviewed text of a field; '' where unset. */
export function currentText(member: Member, name: string): string {
  const value = reviewedValue(member, name);
  return typeof value === 'string' ? value : '';
}

/** A numeric field's value, null where unset. */
export function numberOf(member: Pick<Member, 'fields'>, name: string): number | null {
  const value = member.fields[name];
  return typeof value === 'number' ? value : null;
}

/** Whether the member shows in searches (`searchable`). */
export function isSearchable(member: Member): boolean {
  return member.fields['searchable'] !== false;
}

/** Whether the member is neither deactivated nor suspended nor deleted. */
export function isActive({ deactivated, suspended, deleted }: Member): boolean {
  return !deactivated && !suspended && !deleted;
}

/** Whether staff deleted the member, or the member deleted the profile and can still come back. */
export function isDeleted({ deleted, erase_at }: Member): boolean {
  return deleted || erase_at !== undefined;
}

/** Whether an approved member is kept from others until staff have looked at a match of the ban list. */
export function isWithheld({ userstatus, suspected }: Pick<Member, 'userstatus' | 'suspected'>): boolean {
  return suspected === true && userstatus === 'approved';
}

/** Whether any other member can find the member, as far as the member knows. */
export function seemsVisible(member: Member): boolean {
  return member.userstatus === 'approved' && isSearchable(member) && isActive(member);
}

/** Whether any other member can find the member. */
export function isVisible(member: Member): boolean {
  return seemsVisible(member) && !isWithheld(member);
}

/** Gender and the gender looked for; every member has both. */
export function gendersOf(member: Member): { gender: Gender; preference: Gender } {
  const binary = (name: string) => (member.fields[name] === 'Male' ? 'Male' : 'Female');
  return { gender: binary('gender'), preference: binary('gender_preference') };
}

/** Whether the member has a paid membership now (`platinum`). */
export function isPlatinum({ membership }: Member, now: Date): boolean {
  const { status, expires_at } = membership;
  return status === 'active' && expires_at !== null && expires_at > now;
}

/** The exact position of a member, or null. Only for the member: what others see follows from the displaced position. */
export function positionOf(member: Pick<Member, 'fields'>): Position | null {
  const lat = numberOf(member, 'latitude');
  const lon = numberOf(member, 'longitude');
  return lat === null || lon === null ? null : { lat, lon };
}

/** The locale of a member (language_COUNTRY), else of their site. */
export function localeOf(member: Member, site: Site): string {
  return textOf(member, 'locale') || site.locale;
}

/** Fields with checked values merged in; null clears a field. */
export function applied(fields: FieldValues, values: Readonly<Record<string, StoredValue>>): FieldValues {
  const removed = Object.keys(values).filter((name) => values[name] === null);
  return without({ ...fields, ...values }, removed) as FieldValues;
}

/** A copy with the wanted properties. */
export const pick = <Value>(
  all: Readonly<Record<string, Value>>,
  isWanted: (name: string, value: Value) => boolean,
): Record<string, Value> =>
  Object.fromEntries(Object.entries(all).filter(([name, value]) => isWanted(name, value)));

/** A copy without the named properties. */
export function without<T extends object>(all: T, names: readonly string[]): T {
  return Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name))) as T;
}

/** Catalogue fields that are not in `fields` of the member document: credentials, and settings with a field of their own. */
const storedElsewhere = new Set(['password', 'email', 'deactivated', 'reason_id', 'online', 'auto_renew']);

/** Whether a catalogue field is stored in `fields` of the member document. */
export function isStoredField(name: string): boolean {
  return !storedElsewhere.has(name);
}
