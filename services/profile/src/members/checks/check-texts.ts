import { fieldByName, fields } from '@covalence/contract/catalogue/fields';
import { isPostalCode } from '@covalence/contract/postal-code';
import { contactDataIn } from './contact-data.ts';
import { answersToApprove } from '../document/answers.ts';
import { textOf, without } from '../document/member-values.ts';
import type { ContactKind, Member, ModeratedField } from '../document/member.ts';

/** Whether later changes of a field wait in `pending` for a review. */
export function isModerated(name: string): name is ModeratedField {
  return fieldByName(name)?.moderated === true;
}

/** Names of texts that others read. */
const readable = new Set(fields.filter(({ kind }) => kind === 'text').map(({ name }) => name));

/** Whether staff can decide on a field's text. */
export function isReviewedText(name: string): boolean {
  return readable.has(name) || isModerated(name);
}

/** Texts of a member that staff can decide on, by field. */
export function reviewedTexts({ fields }: Member): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isReviewedText(name)));
}

/** The contact data in the value of a field; usernames are letters and digits alone and hold none, nor does a postal code of the country. */
export function contactDataOf(name: string, value: unknown, country: string): ContactKind[] {
  if (typeof value !== 'string' || !readable.has(name)) return [];
  return name === 'zip' && isPostalCode(value, country) ? [] : contactDataIn(value, country);
}

/** Texts that a new member can be without until they are looked at. */
const heldBack = ['headline', 'about_me'] as const;

/**
 * A new member whose texts were checked for contact data. Of a profile that is approved already, by the site itself or before
 * its import, the answers in own words are approved too; a headline, description or answer with contact data waits for a
 * person. The texts of another one are looked at with the profile.
 */
export function withCheckedTexts(member: Member): Member {
  const country = textOf(member, 'country');
  const flags = Object.fromEntries(
    Object.entries(member.fields)
      .map(([name, value]) => [name, contactDataOf(name, value, country)] as const)
      .filter(([, kinds]) => kinds.length),
  );
  const isApproved = member.userstatus === 'approved';
  const held = isApproved ? heldBack.filter((name) => name in flags) : [];
  return {
    ...member,
    fields: without(member.fields, held),
    pending: Object.fromEntries(held.map((name) => [name, textOf(member, name)])),
    approved_answers: isApproved ? answersToApprove(member, Object.keys(flags)) : {},
    ...(Object.keys(flags).length > 0 && { flags }),
  };
}
