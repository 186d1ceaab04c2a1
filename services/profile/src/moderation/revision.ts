import { Failure } from '@covalence/contract/failure';
import { createHash } from 'node:crypto';
import { pendingText } from '../members/document/member-values.ts';
import type { Member } from '../members/document/member.ts';

const digest = (facts: unknown): string =>
  createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 22);

/** Names what a profile entry showed: it is another one as soon as the userstatus or any field is another. */
export function profileRevision({ userstatus, suspended, deleted, fields }: Member): string {
  return digest([
    userstatus,
    suspended,
    deleted,
    Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  ]);
}

/** Names the texts of one field that an entry showed. */
export function textRevision(member: Member, field: string): string {
  return digest([field, pendingText(member, field) ?? null, member.fields[field] ?? null]);
}

/** Names the photo's state that an entry showed. */
export function photoRevision({ photos }: Member, photo: number): string {
  const found = photos.find(({ id }) => id === photo);
  return digest([photo, found?.status ?? null]);
}

/** 409: what was decided on is not there any more as the entry showed it. */
export function conflict(): Failure {
  return new Failure(409, 'Conflict');
}

/** Refuses a decision on what was changed since; one that names no revision is about what is there now. */
export function holdTo(asked: string | undefined, actual: string): void {
  if (asked !== undefined && asked !== actual) throw conflict();
}
