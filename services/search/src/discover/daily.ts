import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import { exclusionKinds } from '../criteria/relations.ts';
import { checkShown } from '../searches/shown-answers.ts';
import { checkDiscover, type DiscoverContext } from './discover.ts';
import { effectiveCriteria } from './generate-feed.ts';
import { discovered, renderDiscovered, shownWith } from './feed.ts';

/** GET /discover/daily: the pair of the day that the caller is one of. */
export const readDaily = endpoint({
  access: 'member',
  tag: 'Search',
  operationId: 'getDailyPair',
  summary: 'Get the pair of the day',
  description:
    'The member whom the daily matching of the site paired with the caller: each has at most one, and is the other’s too. `users` is empty without a pair, and once the caller liked, passed, declined or blocked the other, or may not meet them any more. Computed after midnight UTC from members who were there in the last 60 days. 404 where the site has no feed.',
  answer: 'The pair of the day.',
  input: z.object(shownWith),
  output: z
    .object({
      day: z
        .string()
        .nullable()
        .meta({
          description: 'YYYY-MM-DD of the matching; null while there was none.',
          examples: ['2026-06-15'],
        }),
      users: z.array(discovered),
    })
    .meta({ id: 'DailyPair' }),
  statuses: [404],
  handler: async ({ input: { fields }, caller }, context: DiscoverContext) => {
    const { discover, saved } = context;
    const [{ viewer, excluded, relations }, { criteria: stored }, result] = await Promise.all([
      context.relations.read(caller.id, exclusionKinds),
      saved.matchCriteria.read(caller.id),
      discover.matchingResults.find(caller.id),
    ]);
    const { siteid } = viewer.member;
    await checkDiscover(siteid, context);
    checkShown(fields, siteid, context);
    const { pair, day } = result ?? {};
    const isPair = pair !== undefined && !excluded.includes(pair);
    const theirs = isPair ? await discover.matchingResults.find(pair) : undefined;
    const ids = isPair && theirs?.pair === caller.id && theirs.day === day ? [pair] : [];
    const discovering = { viewer, relations, criteria: effectiveCriteria(viewer, stored) };
    const users = await renderDiscovered(discovering, ids, fields, context);
    return { day: day ?? null, users };
  },
});
