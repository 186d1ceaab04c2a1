import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import { checkShown } from '../searches/shown-answers.ts';
import type { DiscoverContext } from './discover.ts';
import { discovered, readDiscovering, renderDiscovered, shownWith } from './feed.ts';

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
    const { matchingResults } = context.discover;
    const [discovering, result] = await Promise.all([
      readDiscovering(caller.id, context),
      matchingResults.find(caller.id),
    ]);
    checkShown(fields, discovering.viewer.member.siteid, context);
    const { pair, day } = result ?? {};
    const isPair = pair !== undefined && !discovering.excluded.includes(pair);
    const theirs = isPair ? await matchingResults.find(pair) : undefined;
    const ids = isPair && theirs?.pair === caller.id && theirs.day === day ? [pair] : [];
    const users = await renderDiscovered(discovering, ids, fields, context);
    return { day: day ?? null, users };
  },
});
