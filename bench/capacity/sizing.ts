import { serviceNames, type ServiceName } from '@covalence/stack/services/service-name';
import type { Inputs } from './inputs.ts';
import type { Figures, Measured } from './measured.ts';
import { callKinds, ofComponents, type CallKind, type Component } from './components.ts';
import { sum } from '../measurement.ts';

const secondsOfADay = 86_400;

/** For availability: one may be lost. */
const fewest = { processes: 2, nodes: 3 };

/** Sockets of one process (`minReplicas`, k8s/base). */
const socketsOfAProcess = 10_000;

/** Replicas of MongoDB's data, and copies of the index. */
const copies = { mongodb: 3, elasticsearch: 2 };

/** Shares of a node that data may use: MongoDB's cache is half of the memory; disks need room for merges and restores. */
const usable = { memory: 0.5, disk: 0.7 };

const gib = 2 ** 30;
const gb = 1e9;

/** The input of the sizing. */
export interface Basis {
  readonly inputs: Inputs;
  readonly measured: Measured;
  readonly figures: Figures;
}

/** Calls per second by kind. */
type Rates = Readonly<Record<CallKind, number>>;

/** A value that grows with members, on the line through one or two measured points. It never falls. */
function onLine(points: readonly (readonly [members: number, value: number])[], members: number): number {
  const [[first, low] = [0, 0], last] = points;
  if (!last) return low;
  const slope = Math.max(0, (last[1] - low) / (last[0] - first));
  return Math.max(0, low + slope * (members - first));
}

/** Processor time of a call in a component, ms, where a market has so many members. */
export function costOf({ calls }: Measured, kind: CallKind, component: Component, market: number): number {
  const points = calls[kind].map(({ members, costs }) => [members, costs[component]] as const);
  if (component === 'elasticsearch') return onLine(points, market);
  return sum(points.map(([, cost]) => cost)) / points.length;
}

/** Cores that calls at these rates use, without what is used when nobody calls. */
export const coresOfCalls = (measured: Measured, rates: Rates, market: number) =>
  ofComponents(
    (component) =>
      sum(callKinds.map((kind) => rates[kind] * costOf(measured, kind, component, market))) / 1_000,
  );

/** Bytes of the index of so many members, one copy. */
export const indexBytes = ({ index }: Measured, members: number): number =>
  onLine(
    index.map((point) => [point.members, point.bytes] as const),
    members,
  );

/** Calls per second at the peak. */
export function peakRates({ members, active, peak, calls }: Inputs): Rates {
  const perSecond = (members * active * peak) / secondsOfADay;
  return Object.fromEntries(callKinds.map((kind) => [kind, perSecond * calls[kind]])) as Rates;
}

/** Bytes in MongoDB, one copy: documents, and keys of indexes. */
function mongodbBytes({ mongodb }: Measured, { members, kept }: Inputs) {
  const of = (what: 'data' | 'index') =>
    members *
    (mongodb.member[what] +
      mongodb.account[what] +
      kept.pairs * mongodb.pair[what] +
      kept.views * mongodb.view[what] +
      kept.messages * mongodb.message[what] +
      kept.signIns * mongodb.signIn[what]);
  return { data: of('data'), index: of('index') };
}

const whole = (value: number, least: number) => Math.max(least, Math.ceil(value));

/** Processes of a service, and their memory in bytes. */
function serviceOf(name: ServiceName, cores: number, sockets: number, { inputs, measured, figures }: Basis) {
  const ofASocket = { gateway: measured.gatewaySocket, updates: figures.updatesSocket };
  const socket = name === 'gateway' || name === 'updates' ? ofASocket[name] : 0;
  const forSockets = socket ? sockets / socketsOfAProcess : 0;
  const processes = whole(Math.max(cores / inputs.utilization, forSockets), fewest.processes);
  return { cores, processes, memory: processes * measured.memory[name] + sockets * socket };
}

/** The resources for so many members at the peak. Bytes of stores are those of one copy, nodes those of all copies. */
export function size(basis: Basis) {
  const { inputs, measured, figures } = basis;
  const { members, node, utilization } = inputs;
  const actives = members * inputs.active;
  const sockets = actives * inputs.online;
  const rates = peakRates(inputs);
  const market = members * inputs.market;
  const calls = coresOfCalls(measured, rates, market);
  const updatesPerSecond = (actives * inputs.updates * inputs.peak) / secondsOfADay;
  const alertCost = figures.alert * members * inputs.alerts;
  const cores: Readonly<Record<Component, number>> = {
    ...ofComponents((component) => calls[component] + measured.idle[component]),
    search: calls.search + measured.idle.search + (updatesPerSecond * alertCost) / 1_000,
  };
  const services = Object.fromEntries(
    serviceNames.map((name) => [name, serviceOf(name, cores[name], sockets, basis)]),
  ) as Readonly<Record<ServiceName, ReturnType<typeof serviceOf>>>;

  const documents = mongodbBytes(measured, inputs);
  const mongoShards = whole(
    Math.max(
      cores.mongodb / utilization / node.cores,
      (documents.index * inputs.recent) / (node.memory * gib * usable.memory),
      (documents.data + documents.index) / (node.disk * gb * usable.disk),
    ),
    1,
  );

  const searchMs = costOf(measured, 'POST /searches', 'elasticsearch', market);
  const index = indexBytes(measured, members);
  const indexShards = whole(Math.max(index / (inputs.shard * gb), searchMs / inputs.searchMs), 1);
  const indexNodes = whole(
    Math.max(
      cores.elasticsearch / utilization / node.cores,
      (index * copies.elasticsearch) / (node.memory * gib * usable.memory),
    ),
    fewest.nodes,
  );

  const redisBytes = actives * measured.redis;
  const redisShards = whole(
    Math.max(cores.redis / utilization, redisBytes / (node.memory * gib * usable.memory)),
    1,
  );
  const events = sum(callKinds.map((kind) => rates[kind] * measured.events[kind])) + updatesPerSecond;
  return {
    members,
    actives,
    sockets,
    market,
    rates,
    callsPerSecond: sum(Object.values(rates)),
    events,
    cores,
    services,
    mongodb: { ...documents, shards: mongoShards, nodes: copies.mongodb * mongoShards },
    elasticsearch: { bytes: index, searchMs, shards: indexShards, nodes: indexNodes },
    redis: { bytes: redisBytes, shards: redisShards, nodes: 2 * redisShards },
    rabbitmq: { hour: events * 3_600 * measured.event.bytes, nodes: fewest.nodes },
    photos: members * inputs.kept.photos * measured.photo,
    matching: {
      members: members * inputs.recent,
      hours: (members * inputs.recent * figures.matching) / 3.6e6,
    },
    alertCost,
    updatesPerSecond,
    rebuildHours: members / figures.rebuild / 3_600,
  };
}

/** The resources that a system needs. */
export type Sizing = ReturnType<typeof size>;
