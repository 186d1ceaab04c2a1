import { reachesEverything } from '@covalence/stack/services/reaches-everything';
import { serviceNames } from '@covalence/stack/services/service-name';
import { setTimeout as wait } from 'node:timers/promises';
import { checkAll } from './checks.ts';
import { faults, type FaultName } from './faults.ts';
import type { Outcome } from './load/answers.ts';
import type { Answered } from './load/caller.ts';
import type { Load } from './load/load.ts';
import { unitNames, upstreamLimitMs, type System, type UnitName } from './system.ts';

/** What one fault at one target led to. */
export interface FaultResult {
  readonly fault: FaultName;
  readonly target: UnitName;
  /** Requests by outcome, those without any left out. */
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  /** Seconds that the slowest request took. */
  readonly slowest: number;
  /** Seconds from the fault's end until everything was ready and answered well again. */
  readonly recovery: number;
  readonly problems: readonly string[];
}

/** What a request may take beyond the gateway's own limit, on a machine that has other things to do. */
const marginMs = 5_000;

/** Milliseconds after which a request without its whole answer hangs. */
export const requestLimitMs = upstreamLimitMs + marginMs;

/** So long everything has to be well before it counts as recovered. */
const calmMs = 2_000;
const recoveryLimitMs = 90_000;

/** What every fault may lead to: the documented kinds. */
const alwaysAllowed: readonly Outcome[] = ['ok', 'away', 'refused'];

async function areReady(system: System): Promise<boolean> {
  const looks = await Promise.all(serviceNames.map((name) => reachesEverything(system.managementUrl(name))));
  return looks.every(Boolean);
}

/**
 * Waits until everything is well by itself, for a little while on end; resolves with the seconds until it became so,
 * undefined where it did not.
 */
async function untilRecovered(system: System, load: Load): Promise<number | undefined> {
  const begun = Date.now();
  const isWell = async () =>
    load.members.every(({ follower }) => follower.isReady) &&
    unitNames.every((name) => system.unit(name).pid !== undefined) &&
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

/** Outcomes that this fault does not allow, with an example of each. */
const unallowed = (answers: readonly Answered[], allowed: readonly Outcome[]): string[] => {
  const groups = Object.groupBy(answers, ({ outcome }) => outcome);
  return (Object.entries(groups) as [Outcome, Answered[]][])
    .filter(([outcome]) => !allowed.includes(outcome))
    .map(([outcome, [first, ...others]]) => `${1 + others.length} ${outcome}: ${first ? told(first) : ''}`);
};

/** Lets one thing go wrong under load, waits until all is well again, and looks at what must hold. */
export async function runFault(
  system: System,
  load: Load,
  { fault, target, ms }: { fault: FaultName; target: UnitName; ms: number },
): Promise<FaultResult> {
  const { [fault]: wrong } = faults;
  const problems: string[] = [];
  load.goOn();
  load.takeAnswers();
  await wait(calmMs);
  await wrong
    .strike({ system, load, target, ms })
    .catch((error: unknown) => problems.push(`not done: ${String(error)}`));
  const recovery = await untilRecovered(system, load);
  if (recovery === undefined) problems.push(`not recovered after ${recoveryLimitMs / 1_000} s`);
  await load.pause().catch((error: unknown) => problems.push(String(error)));
  const answers = load.takeAnswers();
  problems.push(...unallowed(answers, [...alwaysAllowed, ...wrong.allows(target)]));
  problems.push(...(await checkAll(system, load)));
  problems.push(...load.takeComplaints());
  return {
    fault,
    target,
    outcomes: countsOf(answers),
    slowest: Math.max(0, ...answers.map(({ milliseconds }) => milliseconds)) / 1_000,
    recovery: recovery ?? recoveryLimitMs / 1_000,
    problems,
  };
}
