import { engineNames } from '@covalence/stack/engines/engine';
import { serviceNames, type ServiceName } from '@covalence/stack/services/service-name';
import { queueNotes } from './engine-tables.ts';
import { limitsInOrder } from './limits.ts';
import type { Checked, Measured } from './measured.ts';
import { callKinds, ofComponents, components, type Component } from './components.ts';
import { coresOfCalls, costOf, indexBytes, size, type Basis, type Sizing } from './sizing.ts';
import { bytes, count, people, type Table } from './table.ts';

/** The numbers of members of the page. */
export const usualMembers = [1e4, 1e6, 1e7, 1e8] as const;

const coresText = (value: number) => `${count(value)} ${value === 1 ? 'core' : 'cores'}`;

const shards = (value: number) => `${count(value)} ${value === 1 ? 'shard' : 'shards'}`;

/** The columns of the tables of sizes, by title of the table and of the column. */
const columns: Readonly<Record<string, Readonly<Record<string, (sizing: Sizing) => string>>>> = {
  Load: {
    'daily active members; sockets': ({ actives, sockets }) => `${people(actives)}; ${people(sockets)}`,
    'calls per second': ({ callsPerSecond }) => count(callsPerSecond),
    'events per second': ({ events }) => count(events),
  },
  'Services: processes, cores used, memory': ofServices(['gateway', 'auth', 'profile']),
  'More services': ofServices(['search', 'billing', 'updates']),
  'Stores: bytes of one copy, cores used, shards × servers of each, or nodes': {
    MongoDB: ({ mongodb, cores: used }) =>
      `${bytes(mongodb.data)} and ${bytes(mongodb.index)} of indexes, ${coresText(used.mongodb)}, ${shards(mongodb.shards)} × 3`,
    Elasticsearch: ({ elasticsearch, cores: used }) =>
      `${bytes(elasticsearch.bytes)}, ${coresText(used.elasticsearch)}, ${shards(elasticsearch.shards)}, ${count(elasticsearch.nodes)} nodes`,
    Redis: ({ redis, cores: used }) =>
      `${bytes(redis.bytes)}, ${coresText(used.redis)}, ${shards(redis.shards)} × 2`,
  },
  'Broker, photos, jobs': {
    'RabbitMQ: cores, an hour of backlog, nodes': ({ rabbitmq, cores: used }) =>
      `${coresText(used.rabbitmq)}, ${bytes(rabbitmq.hour)}, ${rabbitmq.nodes}`,
    'bucket with photos': ({ photos }) => bytes(photos),
    'hours of matching; of a rebuild': ({ matching, rebuildHours }) =>
      `${count(matching.hours)}; ${count(rebuildHours)}`,
  },
};

function ofServices(names: readonly ServiceName[]) {
  return Object.fromEntries(
    names.map((name) => [
      name,
      ({ services }: Sizing) => {
        const { processes, cores: used, memory } = services[name];
        return `${count(processes)}, ${count(used)}, ${bytes(memory)}`;
      },
    ]),
  );
}

/** The sizing of some numbers of members. */
export function sizeTables(basis: Basis, numbers: readonly number[]): Table[] {
  const sizings = numbers.map((members) => size({ ...basis, inputs: { ...basis.inputs, members } }));
  return Object.entries(columns).map(([title, shown]) => ({
    title,
    header: ['members', ...Object.keys(shown)],
    rows: sizings.map((sizing) => [
      people(sizing.members),
      ...Object.values(shown).map((cell) => cell(sizing)),
    ]),
  }));
}

/** The limits in the order in which growth reaches them. */
export const limitTable = (basis: Basis): Table => ({
  title: 'What breaks first',
  header: ['limit', 'members', 'answer', 'from'],
  rows: limitsInOrder(basis).map(({ what, members, answer, from }) => [
    what,
    members === undefined ? 'not reached' : people(members),
    answer,
    from,
  ]),
  notes: [
    'Each limit has the members that reach it while the other inputs stay; `from` says what its load is.',
    'Relays of outboxes and jobs of profile run in one process at a time: not measured with millions.',
    ...queueNotes(),
  ],
});

const deviation = (predicted: number, measured: number) => {
  const percent = Math.round((predicted / measured - 1) * 100);
  return `${percent > 0 ? '+' : ''}${percent} %`;
};

const ofServicesAll = (values: Readonly<Record<Component, number>>) =>
  serviceNames.reduce((total, name) => total + values[name], 0);

const ofAll = (values: Readonly<Record<Component, number>>) =>
  components.reduce((total, component) => total + values[component], 0);

const threeDigits = (value: number) => value.toFixed(3);

const checkRow = (what: string, predicted: number, found: number, show: (value: number) => string) => [
  what,
  show(predicted),
  show(found),
  deviation(predicted, found),
];

/** A note on the accuracy of a search's time. */
function searchNote(measured: Measured): string {
  const [few, many] = measured.calls['POST /searches'].map(({ members }) => members);
  if (!few || !many) return 'The time of a search was measured with one number of members.';
  const at = (members: number) => costOf(measured, 'POST /searches', 'elasticsearch', members);
  return at(many) > at(few)
    ? `The line of a search goes through ${people(few)} and ${people(many)} members. At a hundred times as many it is a direction: measure with your members before you buy nodes.`
    : `From ${people(few)} to ${people(many)} members the time of a search did not grow visibly, so that larger systems need more of Elasticsearch than the tables say: measure with your members before you buy nodes.`;
}

/** A point that was measured beside what the formulas predict of it. */
export function checkTable({ measured }: Pick<Basis, 'measured'>, checked: Checked): Table {
  const calls = coresOfCalls(measured, checked.rates, checked.members);
  const cores = ofComponents((component) => calls[component] + measured.idle[component]);
  const rate = count(Object.values(checked.rates).reduce((total, each) => total + each, 0));
  return {
    title: 'The formulas against a measured point',
    notes: [
      `The point: ${people(checked.members)} members, for ${checked.seconds} s ${rate} calls per second of a day in their shares, ${checked.at.slice(0, 10)}, on ${checked.cores} cores with a load average of ${checked.load} before. Nothing was fitted to it.`,
      `The formulas: measured on ${measured.at.slice(0, 10)} with a load average of ${measured.load}, one kind of call after the other, with few members. Processor time is read from \`/proc\`: a busy machine adds cache misses to it, no waiting.`,
      'MongoDB is the embedded one: cores and memory of `mongod` differ. Bytes are BSON without compression, keys of indexes without their common prefixes.',
      'Elasticsearch compiles its hot code for minutes, also within the point: its first searches are the most expensive.',
      'Calls that come one by one probably cost more than those in a row, with which the formulas were measured.',
      'Replication, TLS, and processes that share the work were not part of it.',
      searchNote(measured),
    ],
    header: ['at the point', 'predicted', 'measured', 'deviation'],
    rows: [
      ...components.map((component) =>
        checkRow(`cores of ${component}`, cores[component], checked.used[component], threeDigits),
      ),
      checkRow('cores of the services', ofServicesAll(cores), ofServicesAll(checked.used), threeDigits),
      checkRow('cores in all', ofAll(cores), ofAll(checked.used), threeDigits),
      checkRow(
        'memory of the services',
        ofServicesAll(measured.memory),
        ofServicesAll(checked.memory),
        bytes,
      ),
      checkRow(
        'documents of members',
        checked.members * measured.mongodb.member.data,
        checked.memberBytes,
        bytes,
      ),
      checkRow('index', indexBytes(measured, checked.members), checked.indexBytes, bytes),
    ],
  };
}

const ms = (value: number) => value.toFixed(2);

/** The calls of a day and what one costs by where it is used, ms. */
export const costTable = ({ inputs, measured }: Pick<Basis, 'inputs' | 'measured'>): Table => ({
  title: 'Calls of a day, and processor time of one, ms',
  header: ['call, a day', 'services', 'engines', 'events'],
  rows: callKinds.flatMap((kind) =>
    measured.calls[kind].map(({ members, costs }, _, points) => {
      const shown = (names: readonly Component[]) => {
        const used = names.filter((name) => costs[name] >= 0.05);
        const all = names.reduce((total, name) => total + costs[name], 0);
        return [ms(all), ...used.map((name) => `${name} ${ms(costs[name])}`)].join(', ');
      };
      const at = points.length > 1 ? `, of ${people(members)}` : '';
      const events = measured.events[kind].toFixed(1);
      return [`\`${kind}\`, ${inputs.calls[kind]}${at}`, shown(serviceNames), shown(engineNames), events];
    }),
  ),
});

const kibibytes = (value: number) => `${count(value / 1_024)} KiB`;

/** The bytes of stored data, and the memory of processes and sockets. */
export function bytesTable({ measured, figures }: Omit<Basis, 'inputs'>): Table {
  const { mongodb, index, redis, photo, memory, event, gatewaySocket } = measured;
  const [few, many] = index;
  const ofAMember = few && many ? (many.bytes - few.bytes) / (many.members - few.members) : 0;
  const names = {
    member: 'member',
    account: 'account',
    pair: 'pair',
    view: 'view',
    message: 'message',
    signIn: 'sign-in',
  };
  const processes = serviceNames.map((name) => `${name} ${count(memory[name] / 2 ** 20)}`);
  return {
    title: 'Bytes, and memory of processes',
    header: ['measured', 'bytes'],
    rows: [
      ...Object.entries(mongodb).map(([name, { data, index: keys }]) => [
        `MongoDB: ${names[name as keyof typeof names]}; its keys in indexes`,
        `${count(data)}; ${count(keys)}`,
      ]),
      ['Elasticsearch: a member more, one copy', kibibytes(ofAMember)],
      ['Redis: a member of a day', kibibytes(redis)],
      ['RabbitMQ: body of an event', count(event.bytes)],
      ['files of a photo', kibibytes(photo)],
      [
        'a socket in the gateway; in updates',
        `${kibibytes(gatewaySocket)}; ${kibibytes(figures.updatesSocket)}`,
      ],
      ['memory of a process under load, MiB', processes.join(', ')],
    ],
  };
}
