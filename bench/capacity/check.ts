import { availableParallelism, loadavg } from 'node:os';
import { run } from '../call-costs.ts';
import { effort } from '../effort.ts';
import { say } from '../engines.ts';
import { pacedTimes } from '../load.ts';
import { readInputs } from './inputs.ts';
import { growing, type Checked } from './measured.ts';
import { mixed } from './mixed.ts';
import { callKinds, type CallKind } from './components.ts';
import { peakRates } from './sizing.ts';
import { readIndexBytes, readStored } from './storage.ts';
import { memoryByComponent, startCapacitySystem, timed } from './system.ts';

/** Loads a system with the calls of a day in their shares, and measures what it uses. */
export async function checkCapacity(): Promise<Checked> {
  const load = Number((loadavg()[0] ?? 0).toFixed(1));
  const { checkedMembers: members, mixedSeconds: seconds, mixedRate: perSecond } = effort;
  say(`capacity: a system of ${members} members …`);
  const capacity = await startCapacitySystem();
  const { system } = capacity;
  try {
    const { calls, close } = await capacity.prepareCalls();
    await capacity.importPeople();
    await capacity.fillUpTo(members);
    const kinds = mixed(peakRates(readInputs()), 2 * perSecond * seconds);
    const turns = new Map<CallKind, number>();
    const make = async (kind: CallKind) => {
      const turn = turns.get(kind) ?? 0;
      turns.set(kind, turn + 1);
      await calls[kind](turn);
    };
    const mix = (from: number) =>
      pacedTimes(perSecond, seconds, (index) => make(kinds[from + index] ?? 'GET /questions'));
    say('capacity: warming up …');
    // Elasticsearch compiles its hot code for a while.
    for (const kind of growing) await run(calls[kind], 0, 10 * effort.quickCalls);
    await mix(0);
    say(`capacity: ${perSecond} calls per second …`);
    const { ms, seconds: took } = await timed(system, () => mix(perSecond * seconds));
    const made = Map.groupBy(kinds.slice(perSecond * seconds), (kind) => kind);
    await close();
    const stored = (await readStored(system)).get('profile.members');
    return {
      at: `${new Date().toISOString().slice(0, 16)}Z`,
      cores: availableParallelism(),
      load,
      members,
      seconds: Math.round(took),
      rates: Object.fromEntries(
        callKinds.map((kind) => [kind, (made.get(kind)?.length ?? 0) / took]),
      ) as Checked['rates'],
      used: Object.fromEntries(
        Object.entries(ms).map(([component, used]) => [component, used / took / 1_000]),
      ) as Checked['used'],
      memory: memoryByComponent(system),
      memberBytes: stored?.data ?? 0,
      indexBytes: await readIndexBytes(system),
    };
  } finally {
    await capacity.stop();
  }
}
