import { importMemberships } from '@covalence/contract/internal/billing-api';
import { importMembers, type importedMember } from '@covalence/contract/internal/profile-api';
import type { Peer } from '@covalence/http/peer';
import { v5 } from 'uuid';
import type { z } from 'zod';
import type { SeedMember } from '../population/population.ts';
import { StackError } from '../stack-error.ts';

type ImportedMember = z.input<typeof importedMember>;

/** The photos of an imported member: files that are in photo storage already. */
export type ImportedPhotos = NonNullable<ImportedMember['photos']>;

/** A seeded member who is there, with the numeric id. */
export interface Seeded {
  readonly id: number;
  readonly member: SeedMember;
}

/** Any fixed UUID: it keeps these names apart from those of other uses. */
const nameSpace = '0b6f1d0e-6c35-4a3c-9d6e-4f1f2f6c7a11';

/** The same member every time, so that a seed can be repeated. */
export const memberIdOf = ({ external_id }: SeedMember): string => v5(external_id, nameSpace);

const memberBody = (
  member: SeedMember,
  passwordHash: string,
  photos: ImportedPhotos | undefined,
): ImportedMember => ({
  member_id: memberIdOf(member),
  siteid: member.siteid,
  username: member.username,
  email: member.email,
  password_hash: passwordHash,
  fields: member.fields,
  userstatus: member.userstatus,
  searchable: member.searchable,
  world_plus: member.world_plus,
  joined: member.joined,
  last_seen: member.last_seen,
  ...(photos && { photos }),
});

/** Imports up to 500 members; those already there stay as they are. A refused one is a defect of the population. */
export async function importBatch(
  profile: Peer,
  batch: readonly SeedMember[],
  passwordHash: string,
  photosOf: (member: SeedMember) => ImportedPhotos | undefined,
): Promise<Seeded[]> {
  const members = batch.map((member) => memberBody(member, passwordHash, photosOf(member)));
  const { imported, refused } = await profile.call(
    '/internal/members/import',
    { members },
    importMembers.output,
  );
  const [first] = refused;
  if (first) {
    const who = batch.find((member) => memberIdOf(member) === first.member_id);
    throw new StackError(
      `The service refuses ${refused.length} seeded members, first ${who?.external_id}: ${first.failcode.join(', ')}.`,
    );
  }
  const ids = new Map(imported.map(({ member_id, id }) => [member_id, id]));
  return batch.flatMap((member) => {
    const id = ids.get(memberIdOf(member));
    return id === undefined ? [] : [{ id, member }];
  });
}

const dayMs = 86_400_000;
/** What seeded memberships were bought as: a year at the standard rate (services/billing/data/packages.json). */
const bought = { package_id: 4, rate_id: 401, days: 365 };

/** Gives platinum memberships to those of a batch who have one. */
export async function importBatchMemberships(billing: Peer, batch: readonly Seeded[]): Promise<void> {
  const { package_id, rate_id, days } = bought;
  const memberships = batch.flatMap(({ id, member: { platinum_until: until } }) => {
    if (!until) return [];
    const started_at = new Date(Date.parse(until) - days * dayMs).toISOString();
    return [{ member: id, package_id, rate_id, started_at, expires_at: until, autorenew: true }];
  });
  if (memberships.length === 0) return;
  await billing.call('/internal/memberships/import', { memberships }, importMemberships.output);
}
