import type { ServiceName } from '@covalence/stack/services/service-name';
import { createConnection, type Connection } from 'mongoose';
import { effort } from './effort.ts';
import { engineProcesses, say } from './engines.ts';
import { like } from './interactions.ts';
import { measurement, type Goal, type Measurement } from './measurement.ts';
import { processorTimeOf } from './processor-time.ts';
import { bearer, profileDatabase, send, startSystem, type BenchMember, type System } from './system.ts';

const { couples, calls } = effort;
const atOnce = 4;

/** Processor time of a call, ms: by service, and of all engines. */
interface Cost {
  readonly services: ReadonlyMap<ServiceName, number>;
  readonly engines: number;
}

/** A call by its turn; no two turns of a write are the same. */
type Make = (turn: number) => Promise<unknown>;

/** A kind of call, and the most that one may cost in our services, in bare reads. */
interface Call {
  readonly name: string;
  readonly goal: Goal;
  readonly make: Make;
}

/** Makes the calls of some turns, several at once. */
async function run(make: Make, from: number, count: number): Promise<void> {
  let turn = from;
  const loop = async () => {
    while (turn < from + count) await make(turn++);
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
}

/** Processor time of this process and the engines, ms. */
function usedHere(): number {
  const { user, system } = process.cpuUsage();
  return processorTimeOf(engineProcesses()) + (user + system) / 1_000;
}

/** Reads one member document by the driver: what this process and the engines use for it, ms. */
async function costOfRead(connection: Connection, { members }: System): Promise<number> {
  const documents = connection.collection<{ _id: number }>('members');
  const read = (turn: number) => documents.findOne({ _id: members[turn % members.length]?.id ?? 0 });
  const before = usedHere();
  await run(read, 0, calls);
  return (usedHere() - before) / calls;
}

/** Makes the second half of the calls, the first of which has warmed the services up. */
async function costOfCall(system: System, { make }: Call): Promise<Cost> {
  const processes = [...system.processes()];
  const read = () => ({
    services: processes.map(([, pid]) => processorTimeOf([pid])),
    engines: processorTimeOf(engineProcesses()),
  });
  const before = read();
  await run(make, calls, calls);
  const after = read();
  const each = (at: number) => ((after.services[at] ?? 0) - (before.services[at] ?? 0)) / calls;
  return {
    services: new Map(processes.map(([name], at) => [name, each(at)])),
    engines: (after.engines - before.engines) / calls,
  };
}

/** Couples who like each other: odd members are women who look for men. */
const couplesOf = ({ members }: System) =>
  members.flatMap((one, at) => {
    const other = members[at + 1];
    return at % 2 === 0 && other ? [[one, other] as const] : [];
  });

const call = (name: string, make: Make, goal: Goal = 'no goal'): Call => ({ name, make, goal });

/** The everyday calls of an app. Likes are of members who have nothing in common yet. */
function everydayCalls(system: System): readonly Call[] {
  const gateway = system.urlOf('gateway');
  const pairs = couplesOf(system);
  const at = (turn: number, offset = 0): readonly [BenchMember, BenchMember] => {
    const pair = pairs[(turn + offset) % pairs.length];
    if (!pair) throw new Error('no couple');
    return pair;
  };
  const get = (pathFor: (other: BenchMember) => string) => (turn: number) => {
    const [one, other] = at(turn);
    return send(`${gateway}${pathFor(other)}`, { headers: bearer(one) });
  };
  const post = (path: string, body: (other: BenchMember) => object, isNew = false) => {
    return (turn: number) => {
      const [one] = at(turn);
      const [, other] = at(turn, isNew ? 1 + Math.floor(turn / pairs.length) : 0);
      const headers = { ...bearer(one), 'Content-Type': 'application/json' };
      return send(`${gateway}${path}`, { method: 'POST', headers, body: JSON.stringify(body(other)) });
    };
  };
  return [
    call(
      'GET /users/self',
      get(() => '/users/self'),
    ),
    call(
      'GET /users/{id}',
      get(({ id }) => `/users/${id}`),
    ),
    call(
      'GET /questions',
      get(() => '/questions'),
    ),
    call(
      'POST /searches',
      post('/searches', () => ({ age: { from: 25, to: 60 } })),
    ),
    call(
      'GET /members/self/activity',
      get(() => '/members/self/activity'),
    ),
    call(
      'GET /members/self/activity/likedme',
      get(() => '/members/self/activity/likedme'),
    ),
    call(
      'POST /messages',
      post('/messages', ({ id }) => ({ profileid: id, text: 'Shall we walk on Sunday?' })),
    ),
    call(
      'GET /messages/{id}',
      get(({ id }) => `/messages/${id}`),
    ),
    call(
      'POST /like',
      post('/like', ({ id }) => ({ profileid: id }), true),
    ),
  ];
}

/** Measures the processor time of everyday calls through the gateway. */
export async function benchCosts(): Promise<readonly Measurement[]> {
  say('costs: starting the services …');
  const system = await startSystem(2 * couples, ['search', 'updates', 'gateway']);
  const { url, name } = profileDatabase(system);
  const connection = await createConnection(url, { dbName: name }).asPromise();
  try {
    for (const [one, other] of couplesOf(system)) {
      await like(system, one, other);
      await like(system, other, one);
    }
    await costOfRead(connection, system);
    const kinds = everydayCalls(system);
    const measured: Measurement[] = [];
    for (const call of kinds) {
      await run(call.make, 0, calls);
      const read = await costOfRead(connection, system);
      const { services, engines } = await costOfCall(system, call);
      const sum = [...services.values()].reduce((total, cost) => total + cost, 0);
      const shares = [...services].map(([service, cost]) => `${service} ${cost.toFixed(2)}`).join(', ');
      say(`costs: ${call.name}: ${sum.toFixed(2)} ms (${shares}), engines ${engines.toFixed(2)} ms`);
      measured.push(
        measurement(`${call.name}, × one read of a member`, 'ms', sum, read, call.goal),
        measurement(`${call.name} in engines, × in services`, 'ms', engines, sum),
      );
    }
    return measured;
  } finally {
    await connection.close();
    await system.stop();
  }
}
