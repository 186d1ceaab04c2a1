import type { importMembers } from '@covalence/contract/internal/profile-api';
import type { Peer } from '@covalence/http/peer';
import type { z } from 'zod';
import type { ImportedMember } from './member-line.ts';

/** What became of a batch. */
export type BatchOutcome = z.output<typeof importMembers.output>;

/** Members in one call. */
export const batchSize = 500;

/** Imports up to 500 members with their accounts; safe to repeat. */
export function importBatch(
  profile: Peer<'profile'>,
  members: readonly ImportedMember[],
): Promise<BatchOutcome> {
  return profile.importMembers({ members });
}
