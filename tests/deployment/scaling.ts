import { isDeepStrictEqual } from 'node:util';
import { manifests } from './files.ts';
import { answersOf, promtool, type Samples } from './prometheus.ts';

interface ScaledObject {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly triggers: readonly { readonly type: string; readonly metadata: { readonly query?: string } }[];
  };
}

/** The queries of Prometheus that set the number of processes, by service. */
const scalingQueries = (): Map<string, string[]> =>
  new Map(
    (manifests('k8s/components/keda/scaled-objects.yaml') as unknown as ScaledObject[]).map(
      ({ metadata, spec }) => [
        metadata.name,
        spec.triggers.flatMap(({ metadata: { query } }) => query ?? []),
      ],
    ),
  );

const always = (value: number) => [value, value, value, value];

/** Two processes of each service. Both report the depth of the queues that they consume. */
const samples: Samples = new Map(
  ['gateway', 'auth', 'profile', 'search', 'billing', 'updates'].flatMap((service, index) =>
    [1, 3].flatMap((factor): [string, number[]][] => {
      const labels = `service="${service}",instance="${factor}"`;
      const depth = (queue: string, state: string, value: number): [string, number[]] => [
        `queue_messages{${labels},queue="${queue}",state="${state}"}`,
        always(value),
      ];
      const queues = {
        search: [
          depth('search.index', 'ready', 4_000),
          depth('search.index', 'dead', 9_000),
          depth('search.usage', 'ready', 9_000),
        ],
        updates: [
          depth('updates.live', 'ready', 500),
          depth('updates.push', 'ready', 1_500),
          depth('updates.push', 'taken', 9_000),
        ],
      };
      return [
        [`nodejs_eventloop_lag_p90_seconds{${labels}}`, always(factor * (index + 1))],
        [`nodejs_eventloop_lag_p99_seconds{${labels}}`, always(100)],
        ...(queues[service as keyof typeof queues] ?? []),
      ];
    }),
  ),
);

/** Lag is the mean of the processes, without the pauses that more processes do not shorten; events that wait count once, dead letters and those under way not at all. */
const expected: Readonly<Record<string, readonly number[]>> = {
  gateway: [2],
  auth: [4],
  profile: [6],
  search: [8, 4_000],
  billing: [10],
  updates: [12, 2_000],
};

/** Every query that scales a service has one answer, the right one, and none without series. */
export async function checkScaling(folder: string, mayBuild: boolean): Promise<void> {
  const program = await promtool(mayBuild);
  for (const [service, queries] of scalingQueries()) {
    const questions = queries.map((query) => ({ query, minute: 3 }));
    const found = await answersOf(program, folder, samples, questions);
    if (
      !isDeepStrictEqual(
        found,
        (expected[service] ?? []).map((value) => [value]),
      )
    )
      throw new Error(
        `${service} is scaled by ${JSON.stringify(found)}, not by ${JSON.stringify(expected[service])}`,
      );
    const nothing = await answersOf(program, folder, new Map([['up{}', [1, 1, 1, 1]]]), questions);
    if (nothing.flat().length)
      throw new Error(`${service} is scaled by ${JSON.stringify(nothing)} without series`);
  }
}
