import { decide, type Decision } from './canary.ts';
import { promtool, type Samples } from './prometheus.ts';
import { rollOut } from './rollout.ts';

const minutes = 20;
const version = { service: 'profile', revision: 'new' };

type Series = [string, (number | '_')[]];

/** A counter that grows by so much each minute, and has no series before. */
const counter = (name: string, labels: string, growth: number): Series => [
  `${name}{service="profile",${labels}}`,
  Array.from({ length: minutes }, (_, minute) => minute * growth || '_'),
];

/** On each of so many routes, a single request fails, in the fourth minute. */
const failures = (routes: number) =>
  Array.from({ length: routes }, (_, route): Series => [
    `http_request_duration_seconds_count{service="profile",revision="new",route="/${route}",status="500"}`,
    Array.from({ length: minutes }, (__, minute) => (minute < 4 ? '_' : 1)),
  ]);

const requests = (revision: string, status: number, growth: number) =>
  counter('http_request_duration_seconds_count', `revision="${revision}",status="${status}"`, growth);
const events = (outcome: string, growth: number) =>
  counter('events_total', `revision="new",queue="profile.memberships",outcome="${outcome}"`, growth);

/** The decision on a version, by the samples that Prometheus has of it and of its predecessor. */
const cases: Readonly<Record<string, readonly [Samples, Decision]>> = {
  'without failures': [new Map([requests('new', 200, 100)]), 'goes on'],
  'that fails 1 %, which pages nobody': [
    new Map([requests('new', 200, 99), requests('new', 500, 1)]),
    'goes on',
  ],
  'that fails 5 %': [new Map([requests('new', 200, 95), requests('new', 500, 5)]), 'is rolled back'],
  'that fails once on each of ten routes': [
    new Map([requests('new', 200, 50), ...failures(10)]),
    'is rolled back',
  ],
  'that fails two of 100 once': [new Map([requests('new', 200, 20), ...failures(2)]), 'goes on'],
  'that refuses 5 %': [new Map([requests('new', 200, 95), requests('new', 403, 5)]), 'goes on'],
  'whose predecessor fails 5 %': [
    new Map([requests('new', 200, 100), requests('old', 200, 95), requests('old', 503, 5)]),
    'goes on',
  ],
  'without requests': [new Map([requests('old', 200, 100)]), 'waits'],
  'with too few requests to judge': [new Map([requests('new', 200, 5), requests('new', 500, 5)]), 'waits'],
  'that only handles events': [new Map([events('consumed', 100)]), 'goes on'],
  'that gives up an event': [new Map([requests('new', 200, 100), events('dead', 1)]), 'is rolled back'],
};

/** Rolls out a gateway that fails 5 %, which must end at the first step, and one that does not, which must end with all requests. */
async function checkGateways(program: string, folder: string): Promise<void> {
  const failing = await rollOut(program, folder, 20);
  const sound = await rollOut(program, folder, Infinity);
  const failures = failing.failed.reduce((sum, count) => sum + count, 0);
  const isBack =
    new Set(failing.weights).size === 2 && failing.weights.at(-1) === 0 && failing.failed.at(-1) === 0;
  if (!isBack || failures === 0)
    throw new Error(`a gateway that fails 5 % is not rolled back: ${JSON.stringify(failing)}`);
  if (sound.weights.at(-1) !== 100)
    throw new Error(`a sound gateway does not go on: ${JSON.stringify(sound)}`);
}

/** The analysis decides as it should: on counters that are made up, and with --all on those of gateways that share requests. */
export async function checkCanary(folder: string, all: boolean): Promise<void> {
  const program = await promtool(all);
  for (const [name, [samples, expected]] of Object.entries(cases)) {
    const decision = await decide(program, folder, samples, version);
    if (decision !== expected) throw new Error(`a version ${name} ${decision}; expected: ${expected}`);
  }
  if (all) await checkGateways(program, folder);
}
