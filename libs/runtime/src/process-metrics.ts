import { readdir } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, collectDefaultMetrics, type Registry } from 'prom-client';

/** Sampling interval, ms. */
const everyMs = 10;

/** Node's histogram of the time between two samples since the last reset, ns. */
interface LoopHistogram {
  readonly max: number;
  percentile(share: number): number;
  reset(): void;
}

/** Keeps prom-client's own event loop timer from waking the process. */
const withoutOwnTimer = { eventLoopMonitoringPrecision: 1_000_000 } as const;

/** The metrics of that timer, which are replaced. */
const replaced = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'];

const nameOf = (of: string) => `nodejs_eventloop_lag_${of}_seconds`;

/** Seconds of lag: Node's value includes the sampling interval. */
const lateness = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - everyMs / 1_000);

function startHistogram(): LoopHistogram {
  const histogram = monitorEventLoopDelay({ resolution: everyMs });
  histogram.enable();
  return histogram;
}

/**
 * Measures the lag of the event loop since the last scrape, as `nodejs_eventloop_lag_{p50,p90,p99,max}_seconds`. prom-client's own
 * metrics of these names include the interval of the timer: 10 ms in an idle process.
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
  // Registered last, so it is read last and can reset.
  measure('max', "The event loop's longest delay since the last scrape.", function () {
    this.set(lateness(histogram.max));
    histogram.reset();
  });
}

/** prom-client lists every handle by type for these, which blocks the event loop for about 15 ms with 10,000 sockets. */
const dropped = [
  'nodejs_active_handles',
  'nodejs_active_handles_total',
  'nodejs_active_requests',
  'nodejs_active_requests_total',
  'nodejs_active_resources',
];

const descriptors = 'process_open_fds';

/**
 * Registers the metrics of the process: memory, CPU, descriptors and event loop lag. None of them blocks the
 * event loop when it is read.
 */
export function measureProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry, ...withoutOwnTimer });
  for (const name of dropped) registry.removeSingleMetric(name);
  registry.removeSingleMetric(descriptors);
  registry.registerMetric(
    new Gauge({
      name: descriptors,
      help: 'Number of open file descriptors.',
      registers: [],
      async collect() {
        // Without /proc the metric is missing.
        const open = await readdir('/proc/self/fd').catch(() => undefined);
        // Do not count the descriptor of the folder itself.
        if (open) this.set(open.length - 1);
      },
    }),
  );
  measureEventLoopLag(registry);
}
