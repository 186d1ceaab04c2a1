import { createHealth, measureHealth } from '@covalence/runtime/health';
import { createMetrics } from '@covalence/runtime/metrics';
import { code, tableOf, withGenerated } from './table.ts';

/** docs/operations.md with the series that services expose, except those of the process. */
export async function withSeries(page: string): Promise<string> {
  const { registry } = createMetrics('documents');
  measureHealth(createHealth(), registry);
  const rows = (await registry.getMetricsAsJSON()).map(({ name, help }) => {
    const { labelNames = [] } = registry.getSingleMetric(name) as { labelNames?: readonly string[] };
    return [code(name), labelNames.map(code).join(', '), help];
  });
  return withGenerated(page, 'series', tableOf(['series', 'labels', 'meaning'], rows));
}
