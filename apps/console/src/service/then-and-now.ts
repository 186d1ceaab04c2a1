import type { Member } from './queries.ts';
import type { Evidence } from './report-queries.ts';

/** A text of a member as it was reported, and as it is now; '' where there is none. */
interface ThenAndNow {
  readonly field: string;
  /** Nobody else reads the text before its review. */
  readonly isWaiting: boolean;
  readonly reported: string;
  readonly now: string;
}

type Texts = Readonly<Record<string, string>>;

/** The texts that others read, each followed by the one that waits to replace it. */
export function thenAndNow(
  { texts, pending }: Pick<Evidence, 'texts' | 'pending'>,
  member: Pick<Member, 'texts' | 'texts_to_review'>,
): ThenAndNow[] {
  const proposed: Texts = Object.fromEntries(
    member.texts_to_review.map(({ field, proposed: text }) => [field, text ?? '']),
  );
  const fields = new Set([texts, pending, member.texts, proposed].flatMap(Object.keys));
  const rowOf = (field: string, isWaiting: boolean, reported: Texts, now: Texts): ThenAndNow => ({
    field,
    isWaiting,
    reported: reported[field] ?? '',
    now: now[field] ?? '',
  });
  return [...fields]
    .flatMap((field) => [rowOf(field, false, texts, member.texts), rowOf(field, true, pending, proposed)])
    .filter(({ reported, now }) => reported || now);
}
