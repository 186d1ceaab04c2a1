import type { readViewer } from '@covalence/contract/internal/profile-api';
import type { z } from 'zod';

/** A viewer's relation to another member, as profile returns it. */
export type Relation = z.infer<typeof readViewer.output>['relations'][number];

/** The kinds of relation that a search can exclude. */
export const exclusionKinds = ['blocks', 'declines', 'likes', 'passes'] as const;

/** One of them. */
export type ExclusionKind = (typeof exclusionKinds)[number];

/**
 * Whether a search with these exclusions leaves the other member out. Being blocked by them always does.
 * `now` is ISO 8601 in UTC, as the ends of passes are.
 */
export function isExcluded(relation: Relation, kinds: readonly ExclusionKind[], now: string): boolean {
  if (relation.blocked_by) return true;
  for (const kind of kinds) {
    const { passed_until: until } = relation;
    if (kind === 'passes' ? until !== null && until > now : relation[kind]) return true;
  }
  return false;
}
