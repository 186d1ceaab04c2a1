import { readViewer, type exclusionKinds } from '@covalence/contract/internal/profile-api';
import { endpoint } from '@covalence/http/endpoint';
import { siteOf, type Context } from '../context.ts';
import { isPlatinum, localeOf, numberOf } from '../members/member-values.ts';
import type { Sides } from '../pairs/pair.ts';
import { activeViewer } from './active-viewer.ts';
import { projectionOf } from './projection.ts';

type ExclusionKind = (typeof exclusionKinds)[number];

/** Which pairs each kind of exclusion leaves out (D30, D55). */
const excludes: Record<ExclusionKind, (sides: Sides, now: Date) => boolean> = {
  blocks: ({ mine }) => mine.blocked_at !== undefined,
  declines: ({ mine }) => mine.stance === 'declined',
  likes: ({ mine }) => mine.stance === 'liked',
  passes: ({ mine }, now) => mine.passed_until !== undefined && mine.passed_until > now,
};

/** Being blocked by the other always excludes. */
const isExcluded = (sides: Sides, kinds: readonly ExclusionKind[], now: Date): boolean =>
  sides.theirs.blocked_at !== undefined || kinds.some((kind) => excludes[kind](sides, now));

/** POST /internal/viewers: who searches, freshly read, and whom to leave out. */
export const viewerOfSearch = endpoint({
  access: 'service',
  summary: 'Who searches',
  ...readViewer,
  handler: async ({ input }, context: Context) => {
    const [found, pairs] = await Promise.all([context.members.byId(input.id), context.pairs.all(input.id)]);
    const member = activeViewer(found);
    const now = context.clock();
    const left = [...pairs].filter(([, sides]) => isExcluded(sides, input.exclude, now));
    return {
      member: projectionOf(member, context.sites),
      platinum: isPlatinum(member, now),
      excluded: left.map(([id]) => id),
      agefrom: numberOf(member, 'agefrom'),
      ageto: numberOf(member, 'ageto'),
      locale: localeOf(member, siteOf(context, member.siteid)),
    };
  },
});
