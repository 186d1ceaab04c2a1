import { freeTextAnswers } from '@covalence/contract/catalogue/answers';
import type { FieldValue, Member } from './member.ts';

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
export function answersToApprove(
  { fields }: Pick<Member, 'fields'>,
  except: readonly string[] = [],
): Readonly<Record<string, string>> {
  const texts = Object.entries(fields).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && isFreeTextAnswer(entry[0]) && !except.includes(entry[0]),
  );
  return Object.fromEntries(texts);
}
