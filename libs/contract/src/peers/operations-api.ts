import { z } from 'zod';
import type { Exchange } from './exchange.ts';

const at = z.iso.datetime().meta({ examples: ['2026-11-26T20:15:00.000Z'] });
const count = z
  .int()
  .nonnegative()
  .meta({ examples: [0] });
const queue = z
  .string()
  .max(60)
  .meta({ description: 'The queue.', examples: ['search.index'] });
const letterId = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'The event.', examples: ['019a3f20-0b1c-7d41-9d0f-5b1f5c1e8a77'] });
const migration = z
  .object({
    name: z.string().meta({ examples: ['0003-roles-by-site'] }),
    what: z.string(),
    runs: z.enum(['before', 'after']).meta({ description: 'Before or after the rollout of this version.' }),
  })
  .meta({ id: 'OpenMigration' });

/** Members of work that hangs, at most this many. */
export const hangingMembers = 10;
// A previous version names none.
const members = z
  .array(z.int().meta({ examples: [1002] }))
  .default([])
  .meta({ description: `The members of the oldest ${hangingMembers}.` });

/** The status of a service. No secrets, no addresses, no data of members but the numbers of those whose work hangs. */
const serviceStatus = z
  .object({
    version: z.string().meta({ examples: ['0.1.0'] }),
    ready: z.boolean().meta({ examples: [true] }),
    checks: z.array(
      z
        .object({
          check: z.string().meta({ examples: ['mongodb'] }),
          up: z.boolean().meta({ examples: [true] }),
        })
        .meta({ id: 'ServiceCheck' }),
    ),
    warnings: z.array(z.string()).meta({ examples: [[]] }),
    unknown: z
      .array(z.string())
      .meta({ description: 'Parts of this answer whose store did not answer in time.', examples: [[]] }),
    outbox: z
      .object({
        waiting: count.meta({ description: 'Documents with events to publish; counted to 1,000.' }),
        oldest: at.nullable(),
      })
      .meta({ id: 'OutboxState' })
      .nullable(),
    queues: z
      .array(
        z
          .object({ queue, ready: count, consumers: z.int().meta({ examples: [2] }), dead: count })
          .meta({ id: 'QueueState' }),
      )
      .meta({ description: 'The queues that the service consumes.' }),
    migrations: z
      .object({ applied: z.int().meta({ examples: [3] }), open: z.array(migration) })
      .meta({ id: 'MigrationState' })
      .nullable(),
    index: z
      .object({
        live: z.string().meta({ examples: ['covalence-members-000002'] }),
        mapping_version: z.int().meta({ examples: [3] }),
        mapping: z.string().meta({ examples: ['as configured'] }),
        current: z.boolean().meta({ description: 'Whether no action is needed.', examples: [true] }),
        complete: z.boolean().meta({ examples: [true] }),
        documents: z.int().meta({ examples: [2_000] }),
        compared: count.meta({ description: 'Members that the last comparison covered.' }),
        differing: count,
      })
      .meta({ id: 'IndexStatus' })
      .nullable()
      .meta({ description: 'The search index; null where there is none.' }),
    erasures: z
      .object({
        due: count,
        overdue: count.meta({ description: 'Due for an hour.' }),
        oldest: at.nullable(),
        members,
      })
      .meta({ id: 'ErasureState' })
      .nullable(),
    payments: z
      .object({
        hanging: count.meta({
          description: 'Open for an hour: neither paid nor declined; counted to 1,000.',
        }),
        oldest: at.nullable(),
        members,
      })
      .meta({ id: 'PaymentState' })
      .nullable(),
    settings: z.array(
      z
        .object({
          name: z.string().meta({ examples: ['PHOTO_SHARING'] }),
          value: z.string().meta({ examples: ['true'] }),
          siteid: z
            .int()
            .nullable()
            .meta({ description: 'Null: of every site.', examples: [1] }),
        })
        .meta({ id: 'SettingInForce' }),
    ),
  })
  .meta({ id: 'ServiceStatus' });

/** The status of a service. */
export type ServiceStatus = z.infer<typeof serviceStatus>;

/** Reads what a service says of itself: one process answers, for the others too. */
export const readStatus = {
  path: '/internal/operations/status',
  callers: ['profile'],
  timeoutMs: 3_000,
  input: z.object({}),
  output: serviceStatus,
} as const satisfies Exchange;

/** Kinds of problems that need attention. */
const problemKinds = [
  'away',
  'store',
  'outbox',
  'dead_letters',
  'no_consumer',
  'long_queue',
  'migration',
  'index',
  'erasures',
  'payments',
] as const;

/** The state of the whole system. */
export const operations = z
  .object({
    at,
    problems: z.array(
      z
        .object({
          kind: z.enum(problemKinds),
          service: z.string().meta({ examples: ['search'] }),
          about: z
            .string()
            .nullable()
            .meta({ description: 'The store, queue, migration or index.', examples: ['search.index'] }),
          count: z
            .int()
            .nullable()
            .meta({ examples: [3] }),
          since: at.nullable(),
          runbook: z
            .string()
            .meta({ description: 'The section of docs/runbooks.md.', examples: ['covalencedeadletters'] }),
        })
        .meta({ id: 'OperationsProblem' }),
    ),
    services: z.array(
      z
        .object({
          service: z.string().meta({ examples: ['search'] }),
          status: serviceStatus.nullable().meta({ description: 'Null: the service does not answer.' }),
        })
        .meta({ id: 'OperatedService' }),
    ),
  })
  .meta({ id: 'Operations' });

/** The state of the whole system. */
export type Operations = z.infer<typeof operations>;

/** Reads the state of the whole system for the command line. */
export const readOperations = {
  path: '/internal/operations',
  callers: ['operator'],
  input: z.object({}),
  output: operations,
} as const satisfies Exchange;

/** The queue and id of a dead letter. */
export const letterKey = z.object({ queue, id: letterId });

/** Dead letters of one call. */
export const lettersAtOnce = 100;

/** An event that its consumer gave up on, without its content. */
export const deadLetter = z
  .object({
    queue,
    id: letterId,
    type: z.string().meta({ examples: ['member.updated'] }),
    died: at.nullable(),
    reason: z.string().meta({
      description:
        '`rejected`: the consumer gave up; `delivery_limit`: its process died with the event again and again.',
      examples: ['rejected'],
    }),
    error: z
      .string()
      .nullable()
      .meta({
        description: 'The last error, without the values that it quotes.',
        examples: ['TypeError: not a number'],
      }),
    tries: z
      .int()
      .nullable()
      .meta({ examples: [5] }),
    replays: count,
    sent: at.nullable().meta({ description: 'When the event happened.' }),
    member: z
      .int()
      .nullable()
      .meta({ description: 'The member it is about.', examples: [1002] }),
    request_id: z.string().nullable(),
    shape: z.string().meta({
      description: 'Names and types of its content.',
      examples: ['{ id: string, type: string }'],
    }),
  })
  .meta({ id: 'DeadLetter' });

/** The dead letters of one queue. */
const deadLettersOfQueue = z.object({ queue, waiting: count, letters: z.array(deadLetter) });

/** Lists the dead letters of the queues that the service consumes: of each the oldest 100, without content. */
export const readDeadLetters = {
  path: '/internal/operations/dead-letters',
  callers: ['profile'],
  input: z.object({}),
  output: z.object({ queues: z.array(deadLettersOfQueue) }),
} as const satisfies Exchange;

/** Replays or drops dead letters among the oldest 1,000 of their queue. Those that are not there are not in the answer. */
export const settleDeadLetters = {
  path: '/internal/operations/dead-letters/settle',
  callers: ['profile'],
  timeoutMs: 15_000,
  input: z.object({
    action: z.enum(['replay', 'drop']),
    letters: z.array(letterKey).min(1).max(lettersAtOnce),
  }),
  output: z.object({
    settled: z.array(letterKey),
    unfinished: z.boolean().optional().meta({ description: 'It failed after these.' }),
  }),
} as const satisfies Exchange;

/** Answers the calls about dead letters. */
export interface DeadLetterService {
  list(): Promise<z.infer<typeof readDeadLetters.output>>;
  settle(order: z.infer<typeof settleDeadLetters.input>): Promise<z.infer<typeof settleDeadLetters.output>>;
}
