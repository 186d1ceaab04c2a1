import type { Metrics } from '@covalence/runtime/metrics';
import type { Routes } from '../routing/route-table.ts';

/** Routes that observability/objectives.yaml names. */
const withObjective = [
  '/authorize',
  '/authorize/{uid}',
  '/login/{uid}',
  '/login/{uid}/*',
  '/token',
  '/search',
  '/searches',
  '/searches/saved/{id}/run',
  '/discover',
  '/discover/daily',
  '/messages',
  '/packages/purchase',
  '/packages/restore',
  '/packages/webhook/{provider}',
] as const;

const failures = ['500', '502', '503'];

/** Starts the series of failures of these routes at 0: Prometheus sees only by how much a series grows, so it would miss the first. */
export function startFailureSeries({ requests }: Metrics, routes: Routes): void {
  for (const route of withObjective)
    for (const method of routes[route]?.methods ?? [])
      for (const status of failures) requests.zero({ method, route, status });
}
