import type { EngineName } from '@covalence/stack/engines/engine';
import type { ServiceName } from '@covalence/stack/services/service-name';
import { engineProcesses } from './engines.ts';
import type { Make } from './everyday-calls.ts';
import { usageOf } from './processor-time.ts';
import type { System } from './system.ts';

const atOnce = 4;

/** Makes the calls of some turns, several at once. */
export async function run(make: Make, from: number, count: number): Promise<void> {
  let turn = from;
  const loop = async () => {
    while (turn < from + count) await make(turn++);
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
}

/** Resources used so far by each service and engine of a system. */
export const usageByComponent = (system: Pick<System, 'processes'>) =>
  new Map(
    [...system.processes(), ...engineProcesses()].map(
      ([component, pid]) => [component, usageOf([pid])] as const,
    ),
  );

/** Milliseconds of processor time that an engine has used until now; 0 at a configured address. */
export function engineTime(name: EngineName): number {
  const pid = engineProcesses().get(name);
  return pid === undefined ? 0 : usageOf([pid]).ms;
}

/** Milliseconds of processor time by service and engine. */
type Times = ReadonlyMap<ServiceName | EngineName, number>;

/** The processor time that the services and the engines of a system use during some work, ms. */
export async function timesOf(
  system: Pick<System, 'processes'>,
  work: () => Promise<unknown>,
): Promise<Times> {
  const before = usageByComponent(system);
  await work();
  return new Map(
    [...usageByComponent(system)].map(
      ([component, { ms }]) => [component, ms - (before.get(component)?.ms ?? 0)] as const,
    ),
  );
}
