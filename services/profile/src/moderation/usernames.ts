import { coversSite, type StaffSites } from '@covalence/contract/staff-roles';
import { z } from 'zod';
import { textOf } from '../members/document/member-values.ts';
import type { ModerationContext } from './moderation.ts';

/** The username of a member whom a list for staff names. */
export const listedUsername = z
  .string()
  .nullable()
  .meta({
    description: 'Null of an erased member, and of one whose site the role does not cover.',
    examples: ['tomh'],
  });

/** Reads the usernames of members on the sites of a role: a look-up by number. */
export async function usernamesOf(
  { members }: Pick<ModerationContext, 'members'>,
  ids: readonly number[],
  sites: StaffSites,
): Promise<(id: number | null) => string | null> {
  const parts = ['_id', 'siteid'] as const;
  const found = await members.store.byIds([...new Set(ids)], { parts, fields: ['username'] });
  const names = new Map(
    found
      .filter(({ siteid }) => coversSite(sites, siteid))
      .map((member) => [member._id, textOf(member, 'username')]),
  );
  return (id) => (id === null ? null : (names.get(id) ?? null));
}
