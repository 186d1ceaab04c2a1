import {
  readDeadLetters,
  readStatus,
  settleDeadLetters,
  type DeadLetterService,
  type ServiceStatus,
} from '@covalence/contract/peers/operations-api';
import type { Health } from '@covalence/runtime/health';
import { shareRecent } from '@covalence/runtime/share-recent';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { serviceEndpoint } from './endpoint.ts';

/** Reads what a service says of itself. */
export type ReadStatus = () => Promise<ServiceStatus>;

/** Parts of the status that stores answer. */
type StoredPart = 'outbox' | 'queues' | 'migrations' | 'index' | 'erasures' | 'payments';

/** The parts of a service's status: each is a bounded question to one of its stores. */
type StatusOptions = {
  readonly health: Health;
  /** The package.json of the service. */
  readonly manifest: URL;
  /** Settings that switch something on or off, with their values. Never a secret or an address. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** The same by site. */
  readonly sites?: ServiceStatus['settings'];
} & { readonly [Part in StoredPart]?: () => Promise<ServiceStatus[Part]> };

const partLimitMs = 1_500;
const sharedMs = 1_000;

/** The answer, or undefined where there is none in time. */
async function inTime<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), partLimitMs);
  return Promise.race([ask().catch(() => undefined), late]).finally(() => clearTimeout(timer));
}

/** Creates the status of a service. Calls of the same second share an answer. */
export function createStatus(options: StatusOptions): ReadStatus {
  const { health, manifest, settings, sites = [], outbox, queues, migrations, index, ...others } = options;
  const { erasures, payments } = others;
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(manifest, 'utf8')));
  return shareRecent(sharedMs, async () => {
    const unknown: StoredPart[] = [];
    const read = async <Answer>(part: StoredPart, ask: (() => Promise<Answer>) | undefined) => {
      if (!ask) return undefined;
      const answer = await inTime(ask);
      if (answer === undefined) unknown.push(part);
      return answer;
    };
    const [report, ...parts] = await Promise.all([
      health.report(),
      read('outbox', outbox),
      read('queues', queues),
      read('migrations', migrations),
      read('index', index),
      read('erasures', erasures),
      read('payments', payments),
    ]);
    return {
      version,
      ready: report.ready,
      checks: Object.entries(report.checks).map(([check, state]) => ({ check, up: state === 'up' })),
      warnings: report.warnings ?? [],
      unknown,
      outbox: parts[0] ?? null,
      queues: parts[1] ?? [],
      migrations: parts[2] ?? null,
      index: parts[3] ?? null,
      erasures: parts[4] ?? null,
      payments: parts[5] ?? null,
      settings: [
        ...Object.entries(settings).map(([name, value]) => ({ name, value: String(value), siteid: null })),
        ...sites,
      ],
    };
  });
}

/** POST /internal/operations/status: what the service says of itself. */
export const answerStatus = serviceEndpoint(
  readStatus,
  (_input, { status }: { readonly status: ReadStatus }) => status(),
);

/** POST /internal/operations/dead-letters: the dead letters of the queues that the service consumes. */
export const answerDeadLetters = serviceEndpoint(
  readDeadLetters,
  (_input, { letters }: { readonly letters: DeadLetterService }) => letters.list(),
);

/** POST /internal/operations/dead-letters/settle: replays or drops some of them. */
export const answerSettling = serviceEndpoint(
  settleDeadLetters,
  (input, { letters }: { readonly letters: DeadLetterService }) => letters.settle(input),
);
