import { countMatches } from '@covalence/contract/internal/search-api';
import { endpoint } from '@covalence/http/endpoint';
import type { AlertsContext } from './alerts.ts';

/** POST /internal/matches/count: how many members a digest may count as new matches. */
export const countOfMatches = endpoint({
  access: 'service',
  summary: 'Count the matches that a member was notified of',
  ...countMatches,
  handler: async ({ input: { id, since, until } }, { alerts }: AlertsContext) => ({
    matches: await alerts.matches.countNotified(id, new Date(since), new Date(until)),
  }),
});
