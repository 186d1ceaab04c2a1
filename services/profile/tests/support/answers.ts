import type { AnswerGroup } from '@covalence/contract/member-record';
import type { TestMember } from '../harness.ts';

/** One answer as a record has it. */
export type Answer = AnswerGroup['fields'][number];

/** The answers in a record, by group. */
export async function groupsOf(reader: TestMember, profileid: number | 'self'): Promise<AnswerGroup[]> {
  return (await reader.get(`/users/${profileid}`).expect(200)).body.answers;
}

/** Reads a member's answers by field, as `reader` sees them. */
export async function read(
  reader: TestMember,
  profileid: number | 'self',
): Promise<Record<string, Answer | undefined>> {
  const answers = (await groupsOf(reader, profileid)).flatMap(({ fields }) => fields);
  return Object.fromEntries(answers.map((answer) => [answer.name, answer]));
}
