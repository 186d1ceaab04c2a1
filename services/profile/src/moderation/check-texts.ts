import { fieldByName, fields } from '@covalence/contract/catalogue/fields';
import { isPostalCode } from '@covalence/contract/postal-code';
import { contactDataIn, type ContactKind } from '../contact/contact-data.ts';
import { textOf } from '../members/member-values.ts';
import type { Member, ModeratedField } from '../members/member.ts';

/** Whether later changes of a field wait for review (D21). */
export function isModerated(name: string): name is ModeratedField {
  return fieldByName(name)?.moderated === true;
}

/** Names of texts that others read. */
const readable = new Set(fields.filter(({ kind }) => kind === 'text').map(({ name }) => name));

/** Whether staff can decide on a field's text. */
export function isReviewedText(name: string): boolean {
  return readable.has(name) || isModerated(name);
}

/** The contact data in the value of a field; usernames are letters and digits alone and hold none, nor does a postal code of the country. */
export function contactDataOf(name: string, value: unknown, country: string): ContactKind[] {
  if (typeof value !== 'string' || !readable.has(name)) return [];
  return name === 'zip' && isPostalCode(value, country) ? [] : contactDataIn(value, country);
}

/** Texts that a new member can be without until they are looked at. */
const heldBack = ['headline', 'about_me'] as const;

/**
 * A new member whose texts were checked for contact data. A flagged headline or description of a profile that is approved
 * already, by the site itself or before its import, waits for a person; of another one it is looked at with the profile.
 */
export function withCheckedTexts(member: Member): Member {
  const country = textOf(member, 'country');
  const flags = Object.fromEntries(
    Object.entries(member.fields)
      .map(([name, value]) => [name, contactDataOf(name, value, country)] as const)
      .filter(([, kinds]) => kinds.length),
  );
  if (!Object.keys(flags).length) return member;
  const held = member.userstatus === 'approved' ? heldBack.filter((name) => name in flags) : [];
  const pending = Object.fromEntries(held.map((name) => [name, textOf(member, name)]));
  const kept = Object.entries(member.fields).filter(([name]) => !(name in pending));
  return { ...member, fields: Object.fromEntries(kept), pending, flags };
}
