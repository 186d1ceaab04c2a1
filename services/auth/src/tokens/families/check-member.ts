import { memberCheckSeconds } from '@covalence/contract/redis-keys';
import { memberStateOf } from '../../accounts/member-state.ts';
import type { Family } from './family-store.ts';
import type { TokensContext } from './revoke-families.ts';

/**
 * When the member of a family was last known to be active; undefined when they are not. Profile sets a flag in Redis
 * for each member who stops being active and keeps it for longer than `memberCheckSeconds`. A member who was active
 * within that time and has no flag is active. Profile is asked about the others, and when Redis may have lost flags.
 * Disabling a staff account revokes its families.
 */
export async function checkMember(
  family: Family,
  { tokens, profile, clock }: TokensContext,
): Promise<Date | undefined> {
  const { account_id, subject, checked_at: checked } = family;
  const at = clock();
  if (!subject) return undefined;
  if (subject.staff) return at;
  const isRecent = checked !== undefined && at.getTime() - checked.getTime() < memberCheckSeconds * 1000;
  const state = isRecent
    ? await tokens.revocations.memberState(subject.id).catch(() => 'unknown')
    : 'unknown';
  if (state === 'inactive') return undefined;
  if (state === 'active') return at;
  return (await memberStateOf({ member_id: account_id, id: subject.id }, profile)) === 'active'
    ? at
    : undefined;
}
