import { readViewer } from '@covalence/contract/internal/profile-api';
import { endpoint } from '@covalence/http/endpoint';
import type { z } from 'zod';
import { siteOf, type Context } from '../../context.ts';
import { isPlatinum, localeOf, numberOf, positionOf } from '../../members/document/member-values.ts';
import type { ChangedPair } from '../pair-changes-store.ts';
import { activeViewer } from './active-viewer.ts';
import { projectionOf } from '../../record/projection.ts';

type Relation = z.infer<typeof readViewer.output>['relations'][number];

/** What a search needs to know of a pair. */
const relationOf = ({ other, version, sides: { mine, theirs } }: ChangedPair): Relation => ({
  other,
  version,
  blocked_by: theirs.blocked_at !== undefined,
  blocks: mine.blocked_at !== undefined,
  declines: mine.stance === 'declined',
  likes: mine.stance === 'liked',
  passed_until: mine.passed_until?.toISOString() ?? null,
});

/** POST /internal/viewers: who searches, freshly read, and what changed between them and others. */
export const viewerOfSearch = endpoint({
  access: 'service',
  summary: 'Who searches',
  ...readViewer,
  handler: async ({ input }, context: Context) => {
    const { id, relations } = input;
    const [found, pairs] = await Promise.all([
      context.members.byId(id),
      relations && context.pairs.changedSince(id, relations.since),
    ]);
    const member = activeViewer(found);
    return {
      member: projectionOf(member, context),
      position: positionOf(member),
      platinum: isPlatinum(member, context.clock()),
      relations: pairs?.changes.map(relationOf) ?? [],
      ...(pairs?.next !== undefined && { next: pairs.next }),
      agefrom: numberOf(member, 'agefrom'),
      ageto: numberOf(member, 'ageto'),
      locale: localeOf(member, siteOf(context, member.siteid)),
    };
  },
});
