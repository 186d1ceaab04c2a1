import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

/** Milliseconds between two looks at the event loop. */
const everyMs = 10;

/** What Node keeps of the looks since the last reset: nanoseconds from one to the next. */
interface LoopHistogram {
  readonly max: number;
  percentile(share: number): number;
  reset(): void;
}

/** Settings of prom-client's default metrics with which its own timer for the same does not wake the process. */
export const withoutOwnTimer = { eventLoopMonitoringPrecision: 1_000_000 } as const;

/** What that timer measures. */
const replaced = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'];

const nameOf = (of: string) => `nodejs_eventloop_lag_${of}_seconds`;

/** Seconds by which a look came late: Node counts the time that it was meant to wait as well. */
const lateness = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - everyMs / 1_000);

function startHistogram(): LoopHistogram {
  const histogram = monitorEventLoopDelay({ resolution: everyMs });
  histogram.enable();
  return histogram;
}

/**
 * The event loop's delay since the last scrape, as `nodejs_eventloop_lag_{p50,p90,p99,max}_seconds`: how long work that was
 * due had to wait. prom-client's own metrics of these names have the timer's 10 ms in them, so that an idle process has a
 * delay of 10 ms.
 */
export function measureEventLoopLag(registry: Registry, histogram: LoopHistogram = startHistogram()): void {
  for (const of of replaced) registry.removeSingleMetric(nameOf(of));
  const measure = (of: string, help: string, collect: (this: Gauge) => void) =>
    registry.registerMetric(new Gauge({ name: nameOf(of), help, registers: [], collect }));
  for (const share of [50, 90, 99]) {
    measure(`p${share}`, `Percentile ${share} of the event loop's delay since the last scrape.`, function () {
      this.set(lateness(histogram.percentile(share)));
    });
  }
  // Read last, being registered last.
  measure('max', "The event loop's longest delay since the last scrape.", function () {
    this.set(lateness(histogram.max));
    histogram.reset();
  });
}
