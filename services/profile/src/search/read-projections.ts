import { exportProjections, readProjections } from '@covalence/contract/internal/profile-api';
import { endpoint } from '@covalence/http/endpoint';
import type { Context } from '../context.ts';
import { projectionOf } from './projection.ts';

/** POST /internal/projections: the projections of the members that exist, in the order asked for. */
export const projectionsByIds = endpoint({
  access: 'service',
  summary: 'Search projections by id',
  ...readProjections,
  handler: async ({ input }, { members, sites }: Context) => {
    const found = await members.byIds(input.ids);
    return { projections: found.map((member) => projectionOf(member, sites)) };
  },
});

/** POST /internal/projections/export: every projection, page by page, from either end. */
export const projectionsBetween = endpoint({
  access: 'service',
  summary: 'Every search projection, page by page',
  ...exportProjections,
  handler: async ({ input }, { members, sites }: Context) => {
    const found = await members.between(input, input.limit);
    return { projections: found.map((member) => projectionOf(member, sites)) };
  },
});
