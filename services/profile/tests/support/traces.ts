import { findTraces } from '@covalence/testing/find-traces';
import { endRetention } from '../../src/moderation/end-retention.ts';
import type { TestMember, ServiceUnderTest } from '../harness.ts';

const dayMs = 86_400_000;

/** Traces of a member in all stores of the service, by number, UUID, username or further texts. */
export async function tracesOf(
  { context, photoDir }: ServiceUnderTest,
  { id, memberId, username }: TestMember,
  more: readonly string[] = [],
): Promise<string[]> {
  // The counter of numbers stands at the last of a block, which may be this member's: a block further it is nobody's.
  await context.members.ids.take('member', 21);
  return findTraces({ namespace: context.config.NAMESPACE, of: [id, memberId, username, ...more], photoDir });
}

/** The same once evidence about the member, and a deletion by staff, were kept for long enough. */
export async function tracesLeft(
  service: ServiceUnderTest,
  member: TestMember,
  more: readonly string[] = [],
): Promise<string[]> {
  service.advance(366 * dayMs);
  do await endRetention(service.context);
  while ((await service.context.moderation.evidence.about(member.id, 1)).length);
  return tracesOf(service, member, more);
}
