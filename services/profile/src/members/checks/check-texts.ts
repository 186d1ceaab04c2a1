import { fieldByName, fields } from '@covalence/contract/catalogue/fields';
import { isPostalCode } from '@covalence/contract/postal-code';
import { contactDataIn } from './contact-data.ts';
import { textsToReview } from '../document/account-status.ts';
import { answersToApprove, currentText, pendingText, textOf, without } from '../document/member-values.ts';
import type { ContactKind, FieldValues, Member, ModeratedField } from '../document/member.ts';

/** Whether changes of a field after registration wait in `pending` for review. */
export function isModerated(name: string): name is ModeratedField {
  return fieldByName(name)?.moderated === true;
}

const readable = new Set(fields.filter(({ kind }) => kind === 'text').map(({ name }) => name));

/** Whether staff can decide on a field's text. */
export function isReviewedText(name: string): boolean {
  return readable.has(name) || isModerated(name);
}

const reviewed = fields.map(({ name }) => name).filter(isReviewedText);

const textsBy = (read: (name: string) => string | undefined): Record<string, string> =>
  Object.fromEntries(
    reviewed.flatMap((name) => {
      const text = read(name);
      return text ? [[name, text]] : [];
    }),
  );

/** Texts of a member that staff can decide on, by field. */
export const reviewedTexts = (member: Member) => textsBy((name) => textOf(member, name));

/** The same texts apart: those that others read, and those that wait. The answers of a new profile are part of it. */
export function textsByState(member: Member) {
  const waits = textsToReview(member);
  return {
    texts: textsBy((name) => (waits.includes(name) ? currentText(member, name) : textOf(member, name))),
    pending: textsBy((name) => (waits.includes(name) ? pendingText(member, name) : undefined)),
  };
}

/** Contact data in the value of a field. Usernames and valid postal codes have none. */
export function contactDataOf(name: string, value: unknown, country: string): ContactKind[] {
  if (typeof value !== 'string' || !readable.has(name)) return [];
  return name === 'zip' && isPostalCode(value, country) ? [] : contactDataIn(value, country);
}

/** Contact data in the current texts of a member, by field. */
function contactDataByField(member: Member): Record<string, ContactKind[]> {
  const country = textOf(member, 'country');
  const found = Object.entries(member.fields).map(
    ([name, value]) => [name, contactDataOf(name, value, country)] as const,
  );
  return Object.fromEntries(found.filter(([, kinds]) => kinds.length));
}

/** Texts that are held back while they have contact data. */
const heldBack = ['headline', 'about_me'] as const;

/**
 * The texts of a profile that is approved although nobody has read it here: a headline, description or answer with contact
 * data waits for review, and the other answers in `covered` are approved too.
 */
export function approvedTexts(member: Member, covered: FieldValues = member.fields) {
  const flagged = Object.keys(contactDataByField(member));
  const held = heldBack.filter((name) => flagged.includes(name));
  return {
    fields: without(member.fields, held),
    // A text that waits already is the newer one.
    pending: { ...Object.fromEntries(held.map((name) => [name, textOf(member, name)])), ...member.pending },
    approved_answers: { ...member.approved_answers, ...answersToApprove({ fields: covered }, flagged) },
  };
}

/** A new member with flags for contact data in texts. A profile that is not approved yet is reviewed with its texts. */
export function withCheckedTexts(member: Member): Member {
  const flags = contactDataByField(member);
  return {
    ...member,
    ...(member.userstatus === 'approved' ? approvedTexts(member) : { approved_answers: {} }),
    ...(Object.keys(flags).length > 0 && { flags }),
  };
}
