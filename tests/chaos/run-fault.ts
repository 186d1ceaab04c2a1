import { reachesEverything } from '@covalence/stack/services/service-process';
import { setTimeout as wait } from 'node:timers/promises';
import { announcedGaps, checkAll, without } from './checks.ts';
import { isCluster, isWhole } from './cluster.ts';
import { faults, type Fault, type FaultName } from './faults.ts';
import type { Outcome } from './load/answers.ts';
import type { Answered } from './load/caller.ts';
import type { Load } from './load/load.ts';
import { isEngine, upstreamLimitMs, type System, type UnitName } from './system.ts';

/** The result of a fault at one target. */
export interface FaultResult {
  readonly fault: FaultName;
  readonly target: UnitName;
  /** Number of requests by outcome. */
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  /** Duration of the slowest request, seconds. */
  readonly slowest: number;
  /** Seconds from the end of the fault until everything was ready and answered. */
  readonly recovery: number;
  /** Seconds from the loss of a server of a cluster until the last 503; undefined without a cluster. */
  readonly outage: number | undefined;
  readonly problems: readonly string[];
  /** Updates that members missed and `reset` announced, where the fault allows it. */
  readonly announced: readonly string[];
}

/** Tolerance beyond the time limit of the gateway on a busy machine, ms. */
const marginMs = 5_000;

/** A request without a complete answer hangs after this time, ms. */
export const requestLimitMs = upstreamLimitMs + marginMs;

/** The system has recovered after it was healthy for this long, ms. */
const calmMs = 2_000;
const recoveryLimitMs = 90_000;

/** Time within which the other servers of a cluster take over, ms: later, nothing may be unavailable. */
const takeOverMs = 10_000;

/** Outcomes that every fault may cause. */
const alwaysAllowed: readonly Outcome[] = ['ok', 'away', 'refused'];

async function areReady(system: System): Promise<boolean> {
  const looks = await Promise.all(
    system.allReplicas.map(({ managementUrl }) => reachesEverything(managementUrl)),
  );
  const clusters = await Promise.all(Object.values(system.engines).map(isWhole));
  return [...looks, ...clusters].every(Boolean);
}

/** Waits until everything is healthy for a while; resolves with the seconds until then, undefined if it never was. */
async function untilRecovered(system: System, load: Load): Promise<number | undefined> {
  const begun = Date.now();
  const isWell = async () =>
    load.members.every(({ follower }) => follower.isReady) &&
    system.units.every(({ pid }) => pid !== undefined) &&
    (await areReady(system));
  for (let since: number | undefined; Date.now() - begun < recoveryLimitMs + calmMs; await wait(100)) {
    const look = Date.now();
    since = (await isWell()) ? Math.max(since ?? look, load.lastTrouble, begun) : undefined;
    if (since !== undefined && Date.now() - since > calmMs) return (since - begun) / 1_000;
  }
  return undefined;
}

const countsOf = (answers: readonly Answered[]): FaultResult['outcomes'] => {
  const groups = Object.groupBy(answers, ({ outcome }) => outcome);
  return Object.fromEntries(Object.entries(groups).map(([outcome, list]) => [outcome, list.length]));
};

const told = ({ what, status, milliseconds, text }: Answered) =>
  `${what} ${status} after ${(milliseconds / 1_000).toFixed(1)} s ${text.slice(0, 120)}`;

/** Outcomes that the fault does not allow, with an example of each. */
const unallowed = (answers: readonly Answered[], allowed: readonly Outcome[]): string[] => {
  const groups = Object.groupBy(answers, ({ outcome }) => outcome);
  return (Object.entries(groups) as [Outcome, Answered[]][])
    .filter(([outcome]) => !allowed.includes(outcome))
    .map(([outcome, [first, ...others]]) => `${1 + others.length} ${outcome}: ${first ? told(first) : ''}`);
};

/** The 503 that came latest after the loss of a server, and how long after, ms. */
function latestAway(answers: readonly Answered[], losses: readonly number[]) {
  const delays = answers
    .filter(({ outcome }) => outcome === 'away')
    .map((answer) => ({
      answer,
      ms: answer.at - (losses.findLast((loss) => loss <= answer.at) ?? answer.at),
    }));
  return delays.toSorted((one, other) => other.ms - one.ms).at(0);
}

/** Applies one fault under load, waits for the recovery, and runs the checks. */
export async function runFault(
  system: System,
  load: Load,
  { fault, target, ms }: { fault: FaultName; target: UnitName; ms: number },
): Promise<FaultResult> {
  const wrong: Fault = faults[fault];
  const problems: string[] = [];
  load.goOn();
  load.takeAnswers();
  await wait(calmMs);
  const losses: number[] = [];
  const onLoss = () => void losses.push(Date.now());
  await wrong
    .strike({ system, load, target, ms, onLoss })
    .catch((error: unknown) => problems.push(`not done: ${String(error)}`));
  const recovery = await untilRecovered(system, load);
  if (recovery === undefined) problems.push(`not recovered after ${recoveryLimitMs / 1_000} s`);
  await load.pause().catch((error: unknown) => problems.push(String(error)));
  const answers = load.takeAnswers();
  problems.push(...unallowed(answers, [...alwaysAllowed, ...wrong.allows(target)]));
  const hasOthers = isEngine(target) && isCluster(system.engines[target]);
  const latest = latestAway(answers, losses);
  if (hasOthers && latest && latest.ms > takeOverMs)
    problems.push(`unavailable ${(latest.ms / 1_000).toFixed(1)} s after the loss: ${told(latest.answer)}`);
  problems.push(...(await checkAll(system, load)));
  problems.push(...load.takeComplaints());
  const announced = wrong.mayReset?.(target) ? load.members.flatMap((one) => announcedGaps(one, load)) : [];
  return {
    fault,
    target,
    outcomes: countsOf(answers),
    slowest: Math.max(0, ...answers.map(({ milliseconds }) => milliseconds)) / 1_000,
    recovery: recovery ?? recoveryLimitMs / 1_000,
    outage: hasOthers ? (latest?.ms ?? 0) / 1_000 : undefined,
    problems: without(problems, announced),
    announced,
  };
}
