import { answersOf } from './answers.ts';
import { inSearch, single, type RecordField } from './subject.ts';

/** What the member answered, as the viewer may read it; in a list what was asked for, as all of it would be too much. */
export const answerRecordFields: readonly RecordField[] = [
  single('answers', answersOf),
  inSearch('answers', answersOf, ({ answers }) => answers !== undefined && answers.size > 0),
];
