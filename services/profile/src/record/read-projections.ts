import { exportProjections, readProjections } from '@covalence/contract/internal/profile-api';
import { endpoint } from '@covalence/http/endpoint';
import type { Context } from '../context.ts';
import { projectionsOf } from './projection.ts';

/** POST /internal/projections: the projections of the members that exist, in the order asked for. */
export const projectionsByIds = endpoint({
  access: 'service',
  summary: 'Search projections by id',
  ...readProjections,
  handler: async ({ input }, context: Context) =>
    projectionsOf(await context.members.byIds(input.ids), context),
});

/** POST /internal/projections/export: every projection, page by page, from either end. */
export const projectionsBetween = endpoint({
  access: 'service',
  summary: 'Every search projection, page by page',
  ...exportProjections,
  handler: async ({ input }, context: Context) =>
    projectionsOf(await context.members.between(input, input.limit), context),
});
