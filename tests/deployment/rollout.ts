import { decide } from './canary.ts';
import { manifests } from './files.ts';
import { startGateway, type Gateway } from './gateways.ts';

/** Of both versions. With less, the first step would not have enough requests for a verdict. */
const requestsPerMinute = 500;
const atOnce = 10;
const longestMinutes = 12;

/** The shares of the requests that the Rollout of the gateway gives to a new version, in percent. */
function weightsOf(): number[] {
  const rollout = manifests('k8s/components/canary/rollouts.yaml').find(
    ({ kind, metadata }) => kind === 'Rollout' && metadata.name === 'gateway',
  ) as unknown as {
    spec: { strategy: { canary: { steps: { setWeight?: number }[] } } };
  };
  return rollout.spec.strategy.canary.steps.flatMap(({ setWeight }) => setWeight ?? []);
}

/** Sends a minute's requests, that share of them to the new version; resolves with the number that failed. */
async function load(stable: Gateway, canary: Gateway, weight: number): Promise<number> {
  let failed = 0;
  for (let sent = 0; sent < requestsPerMinute; sent += atOnce) {
    const batch = Array.from({ length: atOnce }, (_, index) => {
      const toCanary =
        Math.floor(((sent + index + 1) * weight) / 100) > Math.floor(((sent + index) * weight) / 100);
      return (toCanary ? canary : stable).ask();
    });
    failed += (await Promise.all(batch)).filter((status) => status >= 500).length;
  }
  return failed;
}

/** The course of a rollout: traffic of the new version, and failed requests of members. */
export interface Outcome {
  /** The share of the requests that the new version had, minute by minute. */
  readonly weights: readonly number[];
  readonly failed: readonly number[];
}

/**
 * Rolls a gateway out that fails one request of so many, beside a sound one, as the Rollout says: by its steps, each with the
 * analysis. A minute lasts as long as its requests take. Ends a minute after the new version has all requests, or none.
 */
export async function rollOut(program: string, folder: string, failsEach: number): Promise<Outcome> {
  const [stable, canary] = await Promise.all([
    startGateway('stable', Infinity),
    startGateway('canary', failsEach),
  ]);
  const samples = new Map<string, (number | '_')[]>();
  const weights: number[] = [];
  const failed: number[] = [];
  const minute = async (weight: number) => {
    const past = weights.length;
    weights.push(weight);
    failed.push(await load(stable, canary, weight));
    const counters = [...(await stable.scrape()), ...(await canary.scrape())];
    for (const [series, value] of counters)
      samples.set(series, [
        ...(samples.get(series) ?? Array.from({ length: past }, () => '_' as const)),
        value,
      ]);
  };
  try {
    await minute(0);
    for (const weight of weightsOf()) {
      const from = weights.length;
      let decision;
      while (!decision && weights.length < from + longestMinutes) {
        await minute(weight);
        decision = await decide(program, folder, samples, { service: 'gateway', revision: 'canary' }, from);
      }
      if (decision !== 'goes on') {
        await minute(0);
        return { weights, failed };
      }
    }
    await minute(100);
    return { weights, failed };
  } finally {
    stable.stop();
    canary.stop();
  }
}
