import { importMemberships } from '@covalence/contract/internal/billing-api';
import type { Peer } from '@covalence/http/peer';
import { importBatch } from '../members/import-batch.ts';
import { importedOf, type ImportedMember } from '../members/member-line.ts';
import type { SeedMember } from '../population/population.ts';
import { StackError } from '../stack-error.ts';

/** The photos of an imported member: files that are in photo storage already. */
export type ImportedPhotos = NonNullable<ImportedMember['photos']>;

/** A seeded member who is there, with the numeric id. */
export interface Seeded {
  readonly id: number;
  readonly member: SeedMember;
}

/** A member as a line of an import has them, and the hash of the password that all seeded ones have. */
function importedMember(
  member: SeedMember,
  password_hash: string,
  photos: ImportedPhotos | undefined,
): ImportedMember {
  const { external_id, siteid, username, email, userstatus, searchable, world_plus, last_seen } = member;
  const line = importedOf({
    ...member.fields,
    external_id,
    siteid,
    username,
    email,
    userstatus,
    searchable,
    world_plus,
    last_seen,
    date_registered: member.joined,
    password_hash,
  });
  return { ...line, ...(photos && { photos }) };
}

/** Imports a batch of the population; those already there stay as they are. A refused one is a defect of the population. */
export async function importSeeded(
  profile: Peer,
  batch: readonly SeedMember[],
  passwordHash: string,
  photosOf: (member: SeedMember) => ImportedPhotos | undefined,
): Promise<Seeded[]> {
  const members = batch.map((member) => importedMember(member, passwordHash, photosOf(member)));
  const { imported, refused } = await importBatch(profile, members);
  const [first] = refused;
  if (first) {
    const at = members.findIndex(({ member_id }) => member_id === first.member_id);
    throw new StackError(
      `The service refuses ${refused.length} seeded members, first ${batch[at]?.external_id}: ${first.failcode.join(', ')}.`,
    );
  }
  const ids = new Map(imported.map(({ member_id, id }) => [member_id, id]));
  return batch.flatMap((member, at) => {
    const id = ids.get(members[at]?.member_id ?? '');
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
