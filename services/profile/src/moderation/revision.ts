import { Failure } from '@covalence/contract/failure';
import { createHash } from 'node:crypto';
import { pendingText } from '../members/document/member-values.ts';
import type { Member } from '../members/document/member.ts';

const digest = (facts: unknown): string =>
  createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 22);

/** Identifies the state of a profile: it changes with the userstatus and with any field. */
export function profileRevision({ userstatus, suspended, deleted, fields }: Member): string {
  return digest([
    userstatus,
    suspended,
    deleted,
    Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  ]);
}

/** Identifies the texts of one field. */
export function textRevision(member: Member, field: string): string {
  return digest([field, pendingText(member, field) ?? null, member.fields[field] ?? null]);
}

/** Identifies the state of a photo. */
export function photoRevision({ photos }: Member, photo: number): string {
  const found = photos.find(({ id }) => id === photo);
  return digest([photo, found?.status ?? null]);
}

/** 409: the subject of the decision changed since it was shown. */
export function conflict(): Failure {
  return new Failure(409, 'Conflict');
}

/** Throws 409 where the revision of a decision is not the current one. A decision without a revision is always accepted. */
export function holdTo(asked: string | undefined, actual: string): void {
  if (asked !== undefined && asked !== actual) throw conflict();
}
