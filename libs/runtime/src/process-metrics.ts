import { readdir } from 'node:fs/promises';
import { Gauge, collectDefaultMetrics, type Registry } from 'prom-client';
import { measureEventLoopLag, withoutOwnTimer } from './event-loop-lag.ts';

/** Of these prom-client makes lists of every handle by type, which takes some 15 ms of the event loop with 10,000 sockets. */
const dropped = [
  'nodejs_active_handles',
  'nodejs_active_handles_total',
  'nodejs_active_requests',
  'nodejs_active_requests_total',
  'nodejs_active_resources',
];

const descriptors = 'process_open_fds';

/**
 * The process's own metrics: memory, processor time, descriptors, the event loop's delay. None of them may keep the event
 * loop from anything else while it is read, however many sockets there are. They are measured until the process ends.
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
        // Where there is no /proc there is nothing to tell.
        const open = await readdir('/proc/self/fd').catch(() => undefined);
        // The one that the folder is read by is not counted.
        if (open) this.set(open.length - 1);
      },
    }),
  );
  measureEventLoopLag(registry);
}
