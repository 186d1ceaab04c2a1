import { countMatches } from '@covalence/contract/peers/search-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import type { AlertsContext } from './alerts.ts';

/** POST /internal/matches/count: how many members a digest may count as new matches. */
export const countOfMatches = serviceEndpoint(
  countMatches,
  async ({ id, since, until }, { alerts }: AlertsContext) => ({
    matches: await alerts.matches.countNotified(id, new Date(since), new Date(until)),
  }),
);
