import { Gauge, type Registry } from 'prom-client';

/** One thing that must answer for the part to be ready, e.g. a store's ping. */
type HealthCheck = () => Promise<unknown>;

/** What a part says of itself; `warnings` where there are some. */
interface HealthReport {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, 'up' | 'down'>>;
  readonly warnings?: readonly string[];
}

/** The readiness of a part: its checks by name, and a switch that shutdown turns off. */
export interface Health {
  /** Adds a check; a check that rejects or takes over 2 s makes the part not ready. */
  add(name: string, check: HealthCheck): void;
  /** Adds a check that reports show, and that does not affect readiness. */
  addOptional(name: string, check: HealthCheck): void;
  /** Adds a sentence to every report, e.g. of a setting that is not for members; it makes nothing not ready. */
  warn(warning: string): void;
  /** False from the first moment of a shutdown. */
  accepting: boolean;
  /** Runs every check. */
  report(): Promise<HealthReport>;
}

const limitMs = 2_000;

const outcome = async (check: HealthCheck): Promise<'up' | 'down'> => {
  const { promise: late, resolve } = Promise.withResolvers<'down'>();
  const timer = setTimeout(resolve, limitMs, 'down');
  // Inside an async function, so that a check that throws at once is down like one that rejects.
  const answer = (async () => check())().then(
    () => 'up' as const,
    () => 'down' as const,
  );
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
};

/** Creates the health of a part, with no checks yet. */
export function createHealth(): Health {
  const needed = new Map<string, HealthCheck>();
  const optional = new Map<string, HealthCheck>();
  const warnings: string[] = [];
  return {
    accepting: true,
    add: (name, check) => void needed.set(name, check),
    addOptional: (name, check) => void optional.set(name, check),
    warn: (warning) => void warnings.push(warning),
    async report() {
      const entries = await Promise.all(
        [...needed, ...optional].map(async ([name, check]) => [name, await outcome(check)] as const),
      );
      const ready = this.accepting && entries.every(([name, state]) => optional.has(name) || state === 'up');
      return { ready, checks: Object.fromEntries(entries), ...(warnings.length && { warnings }) };
    },
  };
}

/**
 * Tells each check of a part in its metrics, whenever they are read: a store that a part serves without makes no process
 * not ready, so that nothing else would show it.
 */
export function measureHealth(health: Health, registry: Registry): void {
  const up = new Gauge({
    name: 'health_check_up',
    help: 'Whether what a check asks for answers, 1 or 0.',
    labelNames: ['check'],
    registers: [],
    async collect() {
      const { checks } = await health.report();
      for (const [check, state] of Object.entries(checks)) this.set({ check }, state === 'up' ? 1 : 0);
    },
  });
  registry.registerMetric(up);
}
