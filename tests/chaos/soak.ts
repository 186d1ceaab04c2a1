import { serviceNames, type ServiceName } from '@covalence/stack/services/service-name';
import { metric } from '@covalence/testing/metric';
import { setTimeout as wait } from 'node:timers/promises';
import { checkAll } from './checks.ts';
import { growthOf, type Point } from './growth.ts';
import { heapAfterCollection } from './heap.ts';
import type { Load } from './load/load.ts';
import { readSoakOptions } from './options.ts';
import { keepSection } from './report.ts';
import type { System } from './system.ts';
import { endAs, print, underLoad } from './under-load.ts';

/** Resources of a process and their maximum growth per minute, which allows for caches. */
const bounds = {
  /** MiB after a full collection, with buffers. */
  heap: 0.6,
  /** File descriptors. */
  descriptors: 1.5,
  /** Active handles. */
  handles: 1.5,
} as const;

type Measured = keyof typeof bounds;
type Sample = Readonly<Record<Measured, number>>;

const everyMs = 20_000;
/** Warm-up, in which pools and caches fill. */
const warmUpShare = 0.3;

async function sample(system: System, name: ServiceName): Promise<Sample> {
  const { pid } = system.unit(name);
  if (pid === undefined) throw new Error(`${name} does not run`);
  const url = `${system.managementUrl(name)}/metrics`;
  return {
    heap: (await heapAfterCollection(pid)) / 1_048_576,
    descriptors: await metric(url, 'process_open_fds'),
    handles: await metric(url, 'nodejs_active_resources_total'),
  };
}

type Series = ReadonlyMap<ServiceName, readonly { minute: number; sample: Sample }[]>;

async function watch(system: System, minutes: number): Promise<Series> {
  const series = new Map(serviceNames.map((name) => [name, [] as { minute: number; sample: Sample }[]]));
  const begun = Date.now();
  while (Date.now() - begun < minutes * 60_000) {
    await wait(everyMs);
    const line: string[] = [];
    for (const [name, samples] of series) {
      const taken = await sample(system, name);
      samples.push({ minute: (Date.now() - begun) / 60_000, sample: taken });
      line.push(`${name} ${taken.heap.toFixed(1)} MiB ${taken.descriptors} ${taken.handles}`);
    }
    print(`  ${((Date.now() - begun) / 60_000).toFixed(1)} min: ${line.join(', ')}`);
  }
  return series;
}

interface Verdict {
  readonly name: ServiceName;
  readonly what: Measured;
  readonly first: number;
  readonly last: number;
  readonly growth: number;
  readonly isLeak: boolean;
}

/** Growth of each process after the warm-up. */
function judge(series: Series, minutes: number): Verdict[] {
  const whats = Object.keys(bounds) as readonly Measured[];
  return [...series].flatMap(([name, samples]) => {
    const warm = samples.filter(({ minute }) => minute >= minutes * warmUpShare);
    return whats.map((what) => {
      const points: Point[] = warm.map(({ minute, sample: one }) => ({ minute, value: one[what] }));
      const growth = growthOf(points);
      const [first, last] = [points.at(0)?.value ?? 0, points.at(-1)?.value ?? 0];
      return { name, what, first, last, growth, isLeak: !(growth <= bounds[what]) };
    });
  });
}

const figure = (value: number, what: Measured) => value.toFixed(what === 'heap' ? 1 : 0);

async function keep(verdicts: readonly Verdict[], facts: string): Promise<void> {
  const measured = Object.keys(bounds) as readonly Measured[];
  const cellOf = (name: ServiceName, what: Measured) => {
    const verdict = verdicts.find((one) => one.name === name && one.what === what);
    return verdict ? `${verdict.growth.toFixed(2)}${verdict.isLeak ? ' **too much**' : ''}` : '';
  };
  const lines = [
    facts,
    '',
    `| growth per minute (bound) | heap, MiB (${bounds.heap}) | descriptors (${bounds.descriptors}) | handles (${bounds.handles}) |`,
    '| --- | --- | --- | --- |',
    ...serviceNames.map((name) => `| ${name} | ${measured.map((what) => cellOf(name, what)).join(' | ')} |`),
  ];
  keepSection('soak', lines.join('\n'));
}

/** Problems of the load, and failed checks. */
async function problemsOf(system: System, load: Load): Promise<string[]> {
  await load.pause();
  const bad = load.takeAnswers().filter(({ outcome }) => outcome !== 'ok');
  const answers = bad.slice(0, 5).map(({ what, outcome, status }) => `${what}: ${outcome} ${status}`);
  return [
    ...(bad.length ? [`${bad.length} requests without a good answer: ${answers.join(', ')}`] : []),
    ...(await checkAll(system, load)),
    ...load.takeComplaints(),
  ];
}

const plain = { processes: 1, clusters: [], otherRelease: undefined, hasElections: false };

/** `pnpm soak`: resolves with exit code 1 if a resource grows or a check fails. */
async function soak(args: readonly string[]): Promise<number> {
  const { minutes, pairs, seed, isKept } = readSoakOptions(args);
  return underLoad({ pairs, seed, everyMs: 500 }, plain, async (system, load) => {
    const verdicts = judge(await watch(system, minutes), minutes);
    const requests = load.members.reduce((sum, { sent }) => sum + sent.length, 0);
    const problems = await problemsOf(system, load);
    for (const { name, what, first, last, growth, isLeak } of verdicts) {
      const figures = `${figure(first, what)} to ${figure(last, what)}, ${growth.toFixed(2)} a minute`;
      print(`${name.padEnd(9)}${what.padEnd(13)}${figures}${isLeak ? '  GROWS' : ''}`);
    }
    for (const problem of problems) print(`  ${problem}`);
    const leaks = verdicts.filter(({ isLeak }) => isLeak).length;
    if (isKept) {
      const day = new Date().toISOString().slice(0, 10);
      const command = `\`${['pnpm soak', ...args].join(' ')}\`, ${day}`;
      await keep(
        verdicts,
        `${command}: ${leaks} grow; ${requests} messages accepted, ${problems.length} problems.`,
      );
    }
    return leaks || problems.length ? 1 : 0;
  });
}

await endAs(soak);
