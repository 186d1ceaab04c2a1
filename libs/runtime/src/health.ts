import { Gauge, type Registry } from 'prom-client';

/** A readiness check, e.g. a store's ping. */
type HealthCheck = () => Promise<unknown>;

/** The readiness of a service: checks by name, and a switch that shutdown turns off. */
export type Health = ReturnType<typeof createHealth>;

const limitMs = 2_000;

const outcome = async (check: HealthCheck): Promise<'up' | 'down'> => {
  const { promise: late, resolve } = Promise.withResolvers<'down'>();
  const timer = setTimeout(resolve, limitMs, 'down');
  // The async function turns a synchronous throw into a rejection.
  const answer = (async () => check())().then(
    () => 'up' as const,
    () => 'down' as const,
  );
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
};

/** Creates a health without checks. */
export function createHealth() {
  const needed = new Map<string, HealthCheck>();
  const optional = new Map<string, HealthCheck>();
  const warnings: string[] = [];
  return {
    /** False as soon as the service begins to shut down. */
    accepting: true,
    /** Adds a check; the service is not ready while it rejects or takes over 2 s. */
    add: (name: string, check: HealthCheck) => void needed.set(name, check),
    /** Adds a check that appears in reports but does not affect readiness. */
    addOptional: (name: string, check: HealthCheck) => void optional.set(name, check),
    /** Adds a warning to every report, e.g. about a setting unfit for production. It does not affect readiness. */
    warn: (warning: string) => void warnings.push(warning),
    /** Runs every check: the body of GET /health/ready. */
    async report() {
      const entries = await Promise.all(
        [...needed, ...optional].map(async ([name, check]) => [name, await outcome(check)] as const),
      );
      const ready = this.accepting && entries.every(([name, state]) => optional.has(name) || state === 'up');
      return { ready, checks: Object.fromEntries(entries), ...(warnings.length && { warnings }) };
    },
  };
}

/** Exposes each check as a metric: optional checks do not affect readiness, so only this shows that they fail. */
export function measureHealth(health: Health, registry: Registry): void {
  const up = new Gauge({
    name: 'health_check_up',
    help: '1 while this process reaches the store, else 0.',
    labelNames: ['check'],
    registers: [],
    async collect() {
      const { checks } = await health.report();
      for (const [check, state] of Object.entries(checks)) this.set({ check }, state === 'up' ? 1 : 0);
    },
  });
  registry.registerMetric(up);
}
