import type { importedMember } from '@covalence/contract/peers/profile-api';
import { dayMs } from '@covalence/contract/time';
import type { Peer } from '@covalence/http/peer';
import type { SeedMember } from './population/population.ts';
import { CommandError } from '@covalence/runtime/command-error';
import { v5 } from 'uuid';
import type { z } from 'zod';

type ImportedMember = z.input<typeof importedMember>;

/** Members of one import call. */
export const batchSize = 500;

/** The namespace of the seed's UUIDs. */
const nameSpace = '0b6f1d0e-6c35-4a3c-9d6e-4f1f2f6c7a11';

/** Photos of an imported member that are in photo storage already. */
export type ImportedPhotos = NonNullable<ImportedMember['photos']>;

/** An imported member with the numeric id. */
export interface Seeded {
  readonly id: number;
  readonly member: SeedMember;
}

/** Converts a member to the format of the import; all have the same password. */
function importOf(
  member: SeedMember,
  password_hash: string,
  photos: ImportedPhotos | undefined,
): ImportedMember {
  const { external_id, siteid, username, email, userstatus, searchable, world_plus, last_seen } = member;
  const parameters = {
    ...member.fields,
    siteid,
    username,
    email,
    userstatus,
    searchable,
    world_plus,
    last_seen,
    date_registered: member.joined,
    password_hash,
  };
  return { member_id: v5(`${siteid}/${external_id}`, nameSpace), parameters, ...(photos && { photos }) };
}

/** Imports a batch of the population and skips existing members. A refused member is a defect of the population. */
export async function importSeeded(
  profile: Peer<'profile'>,
  batch: readonly SeedMember[],
  passwordHash: string,
  photosOf: (member: SeedMember) => ImportedPhotos | undefined,
): Promise<Seeded[]> {
  const members = batch.map((member) => importOf(member, passwordHash, photosOf(member)));
  const { imported, refused } = await profile.importMembers({ members });
  const [first] = refused;
  if (first) {
    const at = members.findIndex(({ member_id }) => member_id === first.member_id);
    throw new CommandError(
      `The service refuses ${refused.length} seeded members, first ${batch[at]?.external_id}: ${first.failcode.join(', ')}.`,
    );
  }
  const ids = new Map(imported.map(({ member_id, id }) => [member_id, id]));
  return batch.flatMap((member, at) => {
    const id = ids.get(members[at]?.member_id ?? '');
    return id === undefined ? [] : [{ id, member }];
  });
}

/** The package of seeded memberships: a year at the standard rate (services/billing/data/packages.json). */
const bought = { package_id: 4, rate_id: 401, days: 365 };

/** Grants the platinum memberships of a batch. */
export async function importBatchMemberships(
  billing: Peer<'billing'>,
  batch: readonly Seeded[],
): Promise<void> {
  const { package_id, rate_id, days } = bought;
  const memberships = batch.flatMap(({ id, member: { platinum_until: until } }) => {
    if (!until) return [];
    const started_at = new Date(Date.parse(until) - days * dayMs).toISOString();
    return [{ member: id, package_id, rate_id, started_at, expires_at: until, autorenew: true }];
  });
  if (memberships.length === 0) return;
  await billing.importMemberships({ memberships });
}
