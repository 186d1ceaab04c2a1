import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { faults, type FaultName } from './faults.ts';
import { clusterNames, type ClusterName } from '@covalence/stack/engines/engine';
import { engineOf } from './start-clusters.ts';
import { isEngine, unitNames, type UnitName } from './system.ts';

const faultNames = Object.keys(faults) as readonly FaultName[];

/** Longer than every time limit between services; the longest is 20 s, for a read from MongoDB. */
const standardSeconds = 25;

function chosen<Name extends string>(
  what: string,
  given: string | undefined,
  known: readonly Name[],
): readonly Name[] {
  if (given === undefined) return known;
  return given.split(',').map((name) => {
    const found = known.find((one) => one === name);
    if (!found) throw new Error(`There is no ${what} '${name}': ${known.join(', ')}.`);
    return found;
  });
}

/** The form of a system. */
export interface Form {
  /** Processes of each service. */
  readonly processes: number;
  /** The engines of several servers. */
  readonly clusters: readonly ClusterName[];
  /** A built checkout of another release. */
  readonly otherRelease: string | undefined;
}

/** The targets of a fault in a form: of clusters what one of several servers can meet, and all of the others. */
export function targetsOf(
  fault: FaultName,
  { processes, clusters, otherRelease }: Form,
): readonly UnitName[] {
  const isPossible = (target: UnitName) => {
    const isCluster = clusters.some((one) => engineOf(one) === target);
    if (clusters.length && !isCluster) return false;
    if (fault === 'upgrade')
      return otherRelease !== undefined && (isCluster || (processes > 1 && !isEngine(target)));
    if (isCluster) return ofServers.has(fault);
    if (fault === 'cut') return false;
    return fault !== 'roll' || (processes > 1 && !isEngine(target));
  };
  return faults[fault].targets.filter(isPossible);
}

const ofServers: ReadonlySet<FaultName> = new Set(['kill', 'stop', 'cut', 'roll']);

/** Needs of some faults besides their targets. */
const needs: Readonly<Partial<Record<FaultName, string>>> = {
  cut: 'needs --clustered',
  roll: 'needs --processes 2 or --clustered',
  upgrade: 'needs --other-release, and --processes 2 or --clustered elasticsearch',
};

/** The targets of a fault among those that were asked for. Throws if the fault was asked for, too, and has none of them. */
function chosenTargets(
  fault: FaultName,
  form: Form,
  { targets, isAsked }: { readonly targets: readonly UnitName[]; readonly isAsked: boolean },
): readonly UnitName[] {
  const possible = targetsOf(fault, form);
  const found = possible.filter((target) => targets.includes(target));
  if (isAsked && !possible.length)
    throw new Error(`The fault '${fault}' ${needs[fault] ?? 'has no target with --clustered'}.`);
  if (isAsked && !found.length) throw new Error(`The fault '${fault}' is for ${possible.join(', ')}.`);
  return found;
}

function formOf(
  values: Readonly<Partial<Record<'processes' | 'clustered' | 'other-release', string>>>,
): Form {
  const clusters = values.clustered === undefined ? [] : chosen('cluster', values.clustered, clusterNames);
  if (clusters.includes('redis') && clusters.includes('sentinel'))
    throw new Error('--clustered takes redis or sentinel, not both.');
  const processes = wholeNumber('processes', values.processes ?? (clusters.length ? '2' : '1'));
  if (processes > 2) throw new Error('--processes takes 1 or 2.');
  const other = values['other-release'];
  const otherRelease = other === undefined ? undefined : resolve(other);
  if (otherRelease !== undefined && !existsSync(join(otherRelease, 'gateway/dist/main.js')))
    throw new Error(
      `--other-release takes a built checkout, and ${otherRelease} has no gateway/dist/main.js.`,
    );
  return { processes, clusters, otherRelease };
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new Error(`--${name} takes a whole number from 1, not '${text}'.`);
  return value;
}

/** Parses the arguments of `pnpm chaos`; throws a one-line error. */
export function readChaosOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      faults: { type: 'string' },
      targets: { type: 'string' },
      seconds: { type: 'string', default: String(standardSeconds) },
      seed: { type: 'string', default: '1' },
      pairs: { type: 'string', default: '8' },
      processes: { type: 'string' },
      clustered: { type: 'string' },
      'other-release': { type: 'string' },
      keep: { type: 'boolean', default: false },
    },
  });
  const targets = chosen('target', values.targets, unitNames);
  const form = formOf(values);
  const isAsked = values.faults !== undefined;
  const strikes = chosen('fault', values.faults, faultNames).flatMap((fault) =>
    chosenTargets(fault, form, { targets, isAsked }).map((target) => ({ fault, target })),
  );
  if (!strikes.length) throw new Error('None of these faults applies to these targets.');
  return {
    strikes,
    /** Duration of lasting faults. */
    seconds: wholeNumber('seconds', values.seconds),
    seed: wholeNumber('seed', values.seed),
    pairs: wholeNumber('pairs', values.pairs),
    form,
    /** Whether the result is written into docs/faults.md. */
    isKept: values.keep,
  };
}

/** Parses the arguments of `pnpm soak`; throws a one-line error. */
export function readSoakOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '10' },
      pairs: { type: 'string', default: '10' },
      seed: { type: 'string', default: '1' },
      keep: { type: 'boolean', default: false },
    },
  });
  return {
    minutes: wholeNumber('minutes', values.minutes),
    pairs: wholeNumber('pairs', values.pairs),
    seed: wholeNumber('seed', values.seed),
    isKept: values.keep,
  };
}
