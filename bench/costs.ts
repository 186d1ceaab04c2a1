import { engineNames } from '@covalence/stack/engines/engine';
import { run, timesOf } from './call-costs.ts';
import { effort } from './effort.ts';
import { engineProcesses, say } from './engines.ts';
import { couplesOf, everydayCalls, type Make } from './everyday-calls.ts';
import { like } from './interactions.ts';
import { measurement, sum, type Measurement } from './measurement.ts';
import { processorTimeOf } from './processor-time.ts';
import { startSystem, type System } from './system.ts';

const { couples, calls } = effort;

const isEngine = (component: string) => engineNames.some((name) => name === component);

/** Processor time of this process and the engines, ms. */
function usedHere(): number {
  const { user, system } = process.cpuUsage();
  return processorTimeOf([...engineProcesses().values()]) + (user + system) / 1_000;
}

/** Reads one member document by the driver: what this process and the engines use for it, ms. */
async function costOfRead({ databaseOf, members }: System): Promise<number> {
  const documents = databaseOf('profile').collection<{ _id: number }>('members');
  const read = (turn: number) => documents.findOne({ _id: members[turn % members.length]?.id ?? 0 });
  const before = usedHere();
  await run(read, 0, calls);
  return (usedHere() - before) / calls;
}

/** Makes the second half of the calls, the first of which has warmed the services up: ms by service, and of all engines. */
async function costOfCall(system: System, make: Make) {
  const times = await timesOf(system, () => run(make, calls, calls));
  const each = [...times].map(([component, ms]) => [component, ms / calls] as const);
  return {
    services: each.filter(([component]) => !isEngine(component)),
    engines: sum(each.filter(([component]) => isEngine(component)).map(([, ms]) => ms)),
  };
}

/** Measures the processor time of everyday calls through the gateway. */
export async function benchCosts(): Promise<readonly Measurement[]> {
  say('costs: starting the services …');
  const system = await startSystem(2 * couples, ['search', 'updates', 'gateway']);
  try {
    for (const [one, other] of couplesOf(system)) {
      await like(system, one, other);
      await like(system, other, one);
    }
    await costOfRead(system);
    const measured: Measurement[] = [];
    for (const [kind, make] of Object.entries(everydayCalls(system))) {
      await run(make, 0, calls);
      const read = await costOfRead(system);
      const { services, engines } = await costOfCall(system, make);
      const all = sum(services.map(([, cost]) => cost));
      const shares = services.map(([service, cost]) => `${service} ${cost.toFixed(2)}`).join(', ');
      say(`costs: ${kind}: ${all.toFixed(2)} ms (${shares}), engines ${engines.toFixed(2)} ms`);
      measured.push(
        measurement(`${kind}, × one read of a member`, 'ms', all, read),
        measurement(`${kind} in engines, × in services`, 'ms', engines, all),
      );
    }
    return measured;
  } finally {
    await system.stop();
  }
}
