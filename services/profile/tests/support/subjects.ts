import type { RecordUse } from '@covalence/contract/record';
import { parseSites } from '@covalence/contract/sites';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Member } from '../../src/members/document/member.ts';
import { canStartThread } from '../../src/pairs/eligibility.ts';
import { relationOf } from '../../src/pairs/pair.ts';
import { createShownPosition } from '../../src/members/places/shown-position.ts';
import type { PhotoAddress } from '../../src/record/fields/photo-object.ts';
import type { Subject } from '../../src/record/fields/subject.ts';
import { newMember } from '../../src/members/registration/new-member.ts';

/** The sites of tests. */
export const sites = parseSites(JSON.parse(readFileSync(join(import.meta.dirname, 'sites.json'), 'utf8')));
/** One of them. */
export const siteBy = (siteid: number) => {
  const site = sites.get(siteid);
  if (!site) throw new Error('no such site');
  return site;
};
/** When records are rendered. */
export const now = new Date('2026-06-15T12:00:00Z');

const place = { country: 'US', city: 'Austin', state: 'Texas', zip: '78701' };
const person = { gender: 'Male', gender_preference: 'Female', date_of_birth: '1990-06-15', ...place };

/** A member of Austin, born in 1990. */
export const member = (id: number, fields: object = {}, parts: Partial<Member> = {}, siteid = 1): Member => ({
  ...newMember(
    { id, memberId: `0190a000-0000-7000-8000-00000000000${id}`, site: siteBy(siteid) },
    { ...person, username: `user${id}`, ...fields },
    now,
  ),
  ...parts,
});

const photoAddress: PhotoAddress = (_owner, { id }) => `http://api.test/photos/name-of-photo-${id}`;

/** The input for rendering a record of a stranger. */
export const subject = (
  use: RecordUse,
  shown: Member,
  viewer: Member,
  parts: Partial<Subject> = {},
): Subject => {
  const relation = parts.relation ?? relationOf();
  return {
    use,
    member: shown,
    viewer,
    relation,
    canStartThread: canStartThread(
      { sites, clock: () => parts.now ?? now },
      { viewer, other: shown, relation },
    ),
    site: siteBy(shown.siteid),
    viewerSite: siteBy(viewer.siteid),
    presence: { online: false, sinceActive: 60 },
    now,
    locale: 'en_US',
    email: 'secret@example.org',
    pendingEmail: undefined,
    photoAddress,
    photoSharing: false,
    shownPosition: createShownPosition('a-position-secret-for-the-tests-only'),
    ...parts,
  };
};
