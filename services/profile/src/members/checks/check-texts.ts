import { fieldByName, fields } from '@covalence/contract/catalogue/fields';
import { isPostalCode } from '@covalence/contract/postal-code';
import { contactDataIn } from './contact-data.ts';
import { answersToApprove, textOf, without } from '../document/member-values.ts';
import type { ContactKind, Member, ModeratedField } from '../document/member.ts';

/** Whether changes of a field after registration wait in `pending` for review. */
export function isModerated(name: string): name is ModeratedField {
  return fieldByName(name)?.moderated === true;
}

const readable = new Set(fields.filter(({ kind }) => kind === 'text').map(({ name }) => name));

/** Whether staff can decide on a field's text. */
export function isReviewedText(name: string): boolean {
  return readable.has(name) || isModerated(name);
}

/** Texts of a member that staff can decide on, by field. */
export function reviewedTexts({ fields }: Member): Record<string, string> {
  const texts = Object.entries(fields).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(texts.filter(([name]) => isReviewedText(name)));
}

/** Contact data in the value of a field. Usernames and valid postal codes have none. */
export function contactDataOf(name: string, value: unknown, country: string): ContactKind[] {
  if (typeof value !== 'string' || !readable.has(name)) return [];
  return name === 'zip' && isPostalCode(value, country) ? [] : contactDataIn(value, country);
}

/** Texts of a new member that can be held back until a review. */
const heldBack = ['headline', 'about_me'] as const;

/**
 * A new member with flags for contact data in texts. In an approved profile free-text answers are approved too, but a
 * headline, description or answer with contact data waits for review. Other profiles are reviewed with their texts.
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
