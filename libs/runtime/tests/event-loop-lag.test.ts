import { describe, expect, it } from '@jest/globals';
import { createMetrics } from '../src/metrics.ts';
import { measureEventLoopLag, measureProcess } from '../src/process-metrics.ts';

const delays = async ({ registry }: ReturnType<typeof createMetrics>) => {
  const text = await registry.metrics();
  const lines = text.matchAll(/^nodejs_eventloop_lag_(\w+)_seconds\{[^}]*\} (\S+)$/gm);
  return Object.fromEntries([...lines].map(([, of, value]) => [of, Number(value)]));
};

describe('the lag of the event loop', () => {
  it('excludes the sampling interval and starts again with each scrape', async () => {
    const metrics = createMetrics('test');
    let late = 1;
    const milliseconds = (ms: number) => (10 + ms * late) * 1e6;
    measureEventLoopLag(metrics.registry, {
      get max() {
        return milliseconds(40);
      },
      percentile: (share) => milliseconds(share === 99 ? 12.5 : -1),
      reset: () => {
        late = 0;
      },
    });
    const first = await delays(metrics);
    expect(first).toEqual({
      p50: 0,
      p90: 0,
      p99: expect.closeTo(0.0125, 9),
      max: expect.closeTo(0.04, 9),
    });
    expect(Object.values(await delays(metrics))).toEqual([0, 0, 0, 0]);
  });

  it('is measured once per process, by Node itself', async () => {
    const metrics = createMetrics('test');
    measureProcess(metrics.registry);
    const { p50, p90, p99, max } = await delays(metrics);
    for (const value of [p50, p90, p99, max]) expect(value).toBeGreaterThanOrEqual(0);
    expect(await metrics.registry.metrics()).not.toContain('nodejs_eventloop_lag_mean_seconds');
  });
});
