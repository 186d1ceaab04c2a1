import type { Operations, ServiceStatus } from '@covalence/contract/peers/operations-api';

type Problem = Operations['problems'][number];
type Found = Pick<Problem, 'kind' | 'runbook'> & Partial<Problem>;

/** An event that waits longer in its document was not published. */
const outboxLimitMs = 60_000;

/** The same as of the alert CovalenceQueueGrows. */
const longQueue = 10_000;

/** Stores that a service does not reach. */
const stores = ({ checks }: ServiceStatus): Found[] =>
  checks
    .filter(({ up }) => !up)
    .map(({ check }) => ({ kind: 'store', about: check, runbook: 'covalencestoreaway' }));

/** The problem, if there is one. */
const when = (isProblem: unknown, problem: Found): Found[] => (isProblem ? [problem] : []);

const events = ({ outbox, queues }: ServiceStatus, now: Date): Found[] => {
  const { waiting: count = 0, oldest: since = null } = outbox ?? {};
  const isLate = since !== null && now.getTime() - Date.parse(since) > outboxLimitMs;
  return [
    ...when(isLate, { kind: 'outbox', count, since, runbook: 'covalencepublishingfails' }),
    ...queues.flatMap(({ queue: about, ready, consumers, dead }) => [
      ...when(dead, { kind: 'dead_letters', about, count: dead, runbook: 'covalencedeadletters' }),
      ...when(!consumers, { kind: 'no_consumer', about, runbook: 'covalencequeuestands' }),
      ...when(ready > longQueue, {
        kind: 'long_queue',
        about,
        count: ready,
        runbook: 'covalencequeuegrows',
      }),
    ]),
  ];
};

/** A migration for after the rollout may wait until the previous version is gone. */
const migrations = ({ migrations: state }: ServiceStatus): Found[] =>
  (state?.open ?? [])
    .filter(({ runs }) => runs === 'before')
    .map(({ name }) => ({ kind: 'migration', about: name, runbook: 'index-and-migrations' }));

const work = ({ erasures, payments }: ServiceStatus): Found[] => {
  const runbook = 'covalenceperiodicworkfails';
  const { overdue = 0, oldest: dueSince = null } = erasures ?? {};
  const { hanging = 0, oldest: hangingSince = null } = payments ?? {};
  return [
    ...when(overdue, { kind: 'erasures', count: overdue, since: dueSince, runbook }),
    ...when(hanging, { kind: 'payments', count: hanging, since: hangingSince, runbook }),
  ];
};

const search = ({ index, unknown }: ServiceStatus): Found[] => {
  if (unknown.includes('index') || (index?.current && !index.differing)) return [];
  const count = index?.differing || null;
  return [{ kind: 'index', about: index?.live ?? null, count, runbook: 'index-and-migrations' }];
};

/** Problems that a service's status shows; a null status means that the service is unavailable. */
export function problemsOf(service: string, status: ServiceStatus | null, now: Date): Problem[] {
  const found: Found[] = status
    ? [
        ...stores(status),
        ...events(status, now),
        ...migrations(status),
        ...work(status),
        ...(service === 'search' ? search(status) : []),
      ]
    : [{ kind: 'away', runbook: 'covalenceservicemissing' }];
  return found.map((one) => ({ about: null, count: null, since: null, ...one, service }));
}
