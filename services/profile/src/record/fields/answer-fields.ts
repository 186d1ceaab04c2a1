import { answersOf } from '../answers.ts';
import { single, type RecordField } from '../subject.ts';

/** What the member answered, as the viewer may read it: too much for a list. */
export const answerRecordFields: readonly RecordField[] = [
  single('answers', (subject) => answersOf(subject)),
];
