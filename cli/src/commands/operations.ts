import type { Operations, ServiceStatus } from '@covalence/contract/peers/operations-api';
import { oneLine } from '@covalence/runtime/one-line';
import type { OperatorAction } from '../operator-command.ts';

type Problem = Operations['problems'][number];

/** The phrase for each kind of problem, before its subject. */
const sayings: Readonly<Record<Problem['kind'], string>> = {
  away: 'does not answer',
  store: 'does not reach',
  outbox: 'has not published events',
  dead_letters: 'has dead letters in',
  no_consumer: 'does not consume',
  long_queue: 'does not keep up with',
  migration: 'lacks the migration',
  index: 'the index is missing, outdated or differs',
  erasures: 'has not erased members who are due',
  payments: 'has payments that neither succeeded nor failed',
};

/** The members of the oldest payments or erasures that hang. */
function membersOf({ kind, service }: Problem, services: Operations['services']): readonly number[] {
  const status = services.find((one) => one.service === service)?.status;
  return (kind === 'erasures' || kind === 'payments' ? status?.[kind]?.members : undefined) ?? [];
}

const problemLine = (
  { kind, service, about, count, since, runbook }: Problem,
  members: readonly number[],
): string =>
  [
    `${service}: ${[sayings[kind], about].filter((one) => one !== null).join(' ')}`,
    ...(count === null ? [] : [`(${count})`]),
    ...(since === null ? [] : [`since ${since}`]),
    ...(members.length ? [`of members ${members.join(', ')}`] : []),
    `-> docs/runbooks.md#${runbook}`,
  ].join(' ');

/** The status of a service, in columns. */
function cellsOf(service: string, status: ServiceStatus | null): string[] {
  if (!status) return [service, 'away', '', '', '', ''];
  const { version, ready, checks, outbox, queues, migrations, unknown } = status;
  const or = (part: string, value: string) => (unknown.includes(part) ? '?' : value);
  return [
    service,
    ready ? 'ready' : 'not ready',
    version,
    checks.map(({ check, up }) => (up ? check : `${check} DOWN`)).join(', '),
    or('outbox', outbox ? `${outbox.waiting} to publish` : ''),
    [
      ...queues.map(({ queue, ready: waiting, dead }) => `${queue} ${waiting} waiting, ${dead} dead`),
      ...(unknown.includes('queues') ? ['?'] : []),
      ...(migrations?.open ?? []).map(({ name, runs }) => `${name} to do ${runs} this version`),
    ].join('; '),
  ];
}

/** Rows in columns that are as wide as their widest cell. */
function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_cell, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** `covalence operations`. */
export const operations: OperatorAction = {
  name: 'operations',
  caller: 'operator',
  services: ['profile'],
  help: 'show the state of services, stores and queues; exit code 1 if something needs attention',
  async run({ reach }) {
    const { problems, services, at } = await reach('profile').peer.readOperations({});
    const rows = services.map(({ service, status }) => cellsOf(service, status));
    const found = problems.map((one) => problemLine(one, membersOf(one, services)));
    const lines = [...columns(rows), ...found].map(oneLine);
    const none = problems.length ? [] : ['Nobody has to look at anything.'];
    return {
      lines: [...lines, ...none],
      data: { at, problems, services },
      hasProblems: problems.length > 0,
    };
  },
};
