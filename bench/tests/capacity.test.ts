import { describe, expect, it } from '@jest/globals';
import { serviceNames } from '@covalence/stack/services/service-name';
import { assert, constantFrom, double, integer, property, record, type Arbitrary } from 'fast-check';
import { readFileSync } from 'node:fs';
import { shardTable, socketTable } from '../capacity/engine-tables.ts';
import { mixed } from '../capacity/mixed.ts';
import { readInputs } from '../capacity/inputs.ts';
import { limitsInOrder, mostPods, reachedAt, searchHeap } from '../capacity/limits.ts';
import { readFigures, readMeasured, type Figures, type Measured } from '../capacity/measured.ts';
import { callKinds, components, type CallKind, type Component } from '../capacity/components.ts';
import { coresOfCalls, costOf, peakRates, size, type Basis } from '../capacity/sizing.ts';
import { measurement } from '../measurement.ts';
import type { Result } from '../results.ts';

const ofComponents = (value: number) =>
  Object.fromEntries(components.map((component) => [component, value])) as Record<Component, number>;
const ofCalls = <Value>(value: Value) =>
  Object.fromEntries(callKinds.map((kind) => [kind, value])) as Record<CallKind, Value>;

const stored = { data: 1_000, index: 100 };

/** A system of which every call takes a millisecond everywhere, and a search one more for each thousand members. */
const measured: Measured = {
  at: '2026-11-27T05:00Z',
  cores: 2,
  load: 1,
  calls: {
    ...ofCalls([{ members: 100, costs: ofComponents(1) }]),
    'POST /searches': [
      { members: 1_000, costs: ofComponents(2) },
      { members: 3_000, costs: { ...ofComponents(4), elasticsearch: 4 } },
    ],
  },
  events: ofCalls(0.5),
  event: { rabbitmq: 1, bytes: 200 },
  idle: ofComponents(0.01),
  memory: ofComponents(100e6),
  mongodb: { member: stored, account: stored, pair: stored, view: stored, message: stored, signIn: stored },
  index: [
    { members: 1_000, bytes: 1e6 },
    { members: 2_000, bytes: 3e6 },
  ],
  redis: 1_000,
  photo: 5e5,
  gatewaySocket: 20_000,
};

const figures: Figures = { updatesSocket: 8_000, rebuild: 5_000, matching: 0.1, alert: 1e-4, queue: 5_000 };

const basisOf = (inputs: Parameters<typeof readInputs>[0] = {}): Basis => ({
  inputs: readInputs(inputs),
  measured,
  figures,
});

/** Inputs that anybody could give. */
const anyInputs: Arbitrary<Parameters<typeof readInputs>[0]> = record({
  members: integer({ min: 1, max: 1_000_000_000 }),
  active: double({ min: 0, max: 1, noNaN: true }),
  online: double({ min: 0, max: 1, noNaN: true }),
  market: double({ min: 0, max: 1, noNaN: true }),
  peak: double({ min: 1, max: 10, noNaN: true }),
  utilization: constantFrom(0.5, 0.7, 0.9),
});

/** Every number that somebody has to provide. */
function needs(basis: Basis): Record<string, number> {
  const { cores, services, mongodb, elasticsearch, redis, rabbitmq, ...rest } = size(basis);
  return {
    ...Object.fromEntries(
      Object.entries(cores).map(([component, value]) => [`cores of ${component}`, value]),
    ),
    ...Object.fromEntries(
      Object.entries(services).flatMap(([name, { processes, memory }]) => [
        [`processes of ${name}`, processes],
        [`memory of ${name}`, memory],
      ]),
    ),
    documents: mongodb.data,
    'shards of MongoDB': mongodb.shards,
    'nodes of MongoDB': mongodb.nodes,
    'bytes of the index': elasticsearch.bytes,
    'shards of the index': elasticsearch.shards,
    'nodes of Elasticsearch': elasticsearch.nodes,
    'servers of Redis': redis.shards,
    backlog: rabbitmq.hour,
    'nodes of RabbitMQ': rabbitmq.nodes,
    photos: rest.photos,
    events: rest.events,
    calls: rest.callsPerSecond,
  };
}

const cost = (component: Component, members: number) =>
  costOf(measured, 'POST /searches', component, members);

const inManifest = (name: string, pattern: RegExp) =>
  pattern.exec(readFileSync(new URL(`../../k8s/base/${name}.yaml`, import.meta.url), 'utf8'))?.[1];

describe('the sizing', () => {
  it('counts the calls of the peak', () => {
    const inputs = readInputs({ members: 864_000, active: 0.1, peak: 2 });
    expect(peakRates(inputs)['POST /searches']).toBeCloseTo(2 * inputs.calls['POST /searches'], 9);
  });

  it('follows the line through two measured numbers of members, in Elasticsearch only', () => {
    expect([1_000, 2_000, 11_000].map((members) => cost('elasticsearch', members))).toEqual([2, 3, 12]);
    expect([1_000, 11_000].map((members) => cost('search', members))).toEqual([3, 3]);
  });

  it('adds the time of calls: a thousand of a millisecond are one core', () => {
    const rates = { ...ofCalls(0), 'GET /users/self': 1_000 };
    expect(coresOfCalls(measured, rates, 0)).toEqual(ofComponents(1));
  });

  it('needs no less of anything for more members', () => {
    assert(
      property(anyInputs, integer({ min: 1, max: 1_000_000_000 }), (inputs, more) => {
        const few = needs(basisOf(inputs));
        const many = needs(basisOf({ ...inputs, members: (inputs?.members ?? 1) + more }));
        expect(Object.keys(few).filter((name) => (many[name] ?? 0) < (few[name] ?? 0))).toEqual([]);
      }),
    );
  });

  it('keeps two processes of each service and three nodes of each replicated engine, in whole numbers', () => {
    assert(
      property(anyInputs, (inputs) => {
        const { services, mongodb, elasticsearch, redis, rabbitmq } = size(basisOf(inputs));
        for (const name of serviceNames) expect(services[name].processes).toBeGreaterThanOrEqual(2);
        for (const { nodes } of [mongodb, elasticsearch, rabbitmq]) expect(nodes).toBeGreaterThanOrEqual(3);
        const counts = [
          ...serviceNames.map((name) => services[name].processes),
          ...[mongodb, elasticsearch, redis].flatMap(({ shards, nodes }) => [shards, nodes]),
        ];
        expect(counts.filter((count) => !Number.isSafeInteger(count))).toEqual([]);
      }),
    );
  });

  it('has a process of updates and of the gateway for each 10,000 sockets', () => {
    const { services } = size(
      basisOf({ members: 1_000_000, active: 0.5, online: 0.5, peak: 1, calls: ofCalls(0) }),
    );
    expect([services.updates.processes, services.gateway.processes]).toEqual([25, 25]);
    expect(services.auth.processes).toEqual(2);
  });

  it('refuses an input that it does not know, and a share above one', () => {
    expect(() => readInputs({ memberz: 5 } as object)).toThrow('memberz');
    expect(() => readInputs({ active: 1.1 })).toThrow('active');
  });

  it('reads the saved results', () => {
    expect(Object.keys(readMeasured().calls).toSorted()).toEqual([...callKinds].toSorted());
    expect(Object.values(readFigures()).every((value) => value > 0)).toBe(true);
    expect(shardTable().rows.map(([layout]) => layout)).toEqual([
      '1 shard',
      '4 shards',
      '4 shards by market',
      '16 shards',
      '16 shards by market',
    ]);
  });
});

/** A result of the sockets benchmark: 8 KiB of a socket, and a tenth of a core for the heartbeats of 10,000. */
const socketsResult = (sockets: number, processes: number): Result => ({
  benchmark: 'sockets',
  at: '2026-11-27T05:00Z',
  size: { sockets, processes },
  machine: { cores: 2, memory: 24, node: 'v24', load: 1 },
  measured: [
    measurement('memory of a socket', 'KiB', 8, 4),
    measurement('sockets opened per second', '1/s', 2_000, 4_000),
    measurement('processor time of a second of heartbeats', 'ms', sockets / 100, 1_000),
    measurement('one message to all sockets', 'ms', 90, 90),
  ],
});

describe('a million sockets', () => {
  it('have the memory and heartbeats of each of 30,000, in processes that open them as one with 10,000', () => {
    const { rows } = socketTable(socketsResult(10_000, 1), socketsResult(30_000, 3), measured);
    expect(rows).toEqual([
      ['10 thousand, 1', '82 MB; 200 MB', '2,000; 5 s', '0.1; 90 ms'],
      ['30 thousand, 3', '250 MB; 600 MB', '2,000; 15 s', '0.3; 90 ms'],
      ['1 million, 100', '8.2 GB; 20 GB', '200,000; 5 s', '10; at most 20 sockets of a member'],
    ]);
  });
});

describe('the limits', () => {
  it('are in the order in which growth reaches them, and each is reached there', () => {
    const basis = basisOf();
    const order = limitsInOrder(basis);
    const reached = order.map(({ members = Infinity }) => members);
    expect(reached).toEqual(reached.toSorted((one, other) => one - other));
    for (const { load, members = 0 } of order.filter((limit) => limit.members !== undefined)) {
      const at = (count: number) => {
        const then = { ...basis, inputs: { ...basis.inputs, members: count } };
        return load(size(then), then);
      };
      expect(at(members)).toBeGreaterThanOrEqual(1);
      expect(at(members * 0.99)).toBeLessThan(1);
    }
  });

  it('are none where growth never reaches them', () => {
    expect(reachedAt({ load: () => 0.5 }, basisOf())).toBeUndefined();
  });

  it('are those of the manifests', () => {
    for (const name of serviceNames)
      expect([name, inManifest(name, /maxReplicas: (\d+)/)]).toEqual([name, String(mostPods[name])]);
    const limit = Number(inManifest('search', /limits: \{ memory: (\d+)Mi/));
    expect(searchHeap).toEqual((limit / 2) * 2 ** 20);
  });
});

describe('the mixed load of the measured point', () => {
  it('has the shares of the rates to within one call, also at its beginning', () => {
    const rates = peakRates(readInputs());
    const all = Object.values(rates).reduce((sum, rate) => sum + rate, 0);
    for (const count of [50, 500]) {
      const kinds = mixed(rates, count);
      for (const kind of callKinds) {
        const made = kinds.filter((each) => each === kind).length;
        expect(Math.abs(made - (count * rates[kind]) / all)).toBeLessThanOrEqual(1.5);
      }
    }
  });
});
