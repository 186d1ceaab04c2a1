import { conflicting, notFound } from '@covalence/contract/failure';
import {
  deadLetter,
  letterKey,
  lettersAtOnce,
  type DeadLetterService,
} from '@covalence/contract/peers/operations-api';
import { endpoint } from '@covalence/http/endpoint';
import { queueNames, serviceOf, type QueueName } from '@covalence/events/topology';
import { z } from 'zod';
import type { OperationsContext } from './operations.ts';

type LetterKey = z.infer<typeof letterKey>;

const staff = { roles: ['operator'], site: 'every' } as const;

/** The service that keeps a queue's dead letters. Throws 404 for an unknown queue. */
function deadLettersOf(queue: string, { operations }: OperationsContext): DeadLetterService {
  const found = queueNames.some((name) => name === queue) && operations.deadLetters[serviceOf(queue)];
  if (!found) throw notFound();
  return found;
}

const example = { queue: 'search.index', id: '019a3f20-0b1c-7d41-9d0f-5b1f5c1e8a77' };

/** GET /staff/operations/dead-letters */
export const listDeadLetters = endpoint({
  access: 'staff',
  staff: {
    ...staff,
    shows: ({ queues }) => queues.flatMap(({ letters }) => letters.flatMap(({ member }) => member ?? [])),
  },
  operationId: 'listStaffDeadLetters',
  summary: 'List dead letters',
  description:
    'Events that a consumer gave up on, of each queue the oldest 100, without their content; calls within two seconds share an answer. An account may list them 600 times in an hour, then it is 429. `covalence events list` and `show` print the same.',
  answer: 'The dead letters by queue.',
  input: z.object({}),
  output: z
    .object({
      queues: z.array(
        z
          .object({
            queue: z.string().meta({ examples: ['search.index'] }),
            away: z.boolean().meta({
              description: 'Its service or RabbitMQ does not answer, so nothing is known.',
              examples: [false],
            }),
            waiting: z.int().meta({ examples: [1] }),
            letters: z.array(deadLetter),
          })
          .meta({ id: 'DeadLettersOfQueue' }),
      ),
    })
    .meta({ id: 'DeadLetters' }),
  async handler({ caller }, { operations, logger }: OperationsContext) {
    await operations.listed.count(caller.memberId);
    const answers = Object.entries(operations.deadLetters).map(async ([service, deadLetters]) => {
      const own = queueNames.filter((queue) => serviceOf(queue) === service);
      const { queues } = await deadLetters.list().catch((error: unknown) => {
        logger.warn({ err: error, peer: service }, 'listing the dead letters of a service failed');
        return { queues: [] };
      });
      return own.map((queue) => {
        const found = queues.find((one) => one.queue === queue);
        return { queue, away: !found, waiting: found?.waiting ?? 0, letters: found?.letters ?? [] };
      });
    });
    return { queues: (await Promise.all(answers)).flat() };
  },
});

const outcomes = ['replayed', 'gone', 'away'] as const;

async function replayed(queue: string, letters: readonly LetterKey[], context: OperationsContext) {
  const { settled, unfinished = false } = await deadLettersOf(queue, context)
    .settle({ action: 'replay', letters: [...letters] })
    .catch((error: unknown) => {
      context.logger.warn({ err: error, queue }, 'dead letters not replayed');
      return { settled: [], unfinished: true };
    });
  const ids = new Set(settled.map(({ id }) => id));
  const outcomeOf = (id: string): (typeof outcomes)[number] => {
    if (ids.has(id)) return 'replayed';
    return unfinished ? 'away' : 'gone';
  };
  return letters.map(({ id }) => ({ queue, id, outcome: outcomeOf(id) }));
}

/** POST /staff/operations/dead-letters/replay */
export const replayDeadLetters = endpoint({
  access: 'staff',
  staff: {
    ...staff,
    about: ({ letters }: { readonly letters: readonly LetterKey[] }) => letters.map(({ id }) => id),
  },
  operationId: 'replayStaffDeadLetters',
  summary: 'Replay dead letters',
  description:
    'Returns them to their queues. Fix the cause first. An event that was handled already has no second effect. An account may replay or delete 500 in an hour, then it is 429; `covalence events replay` has no limit.',
  answer: 'The outcome of each.',
  example: { request: { letters: [example] } },
  statuses: [404],
  input: z.object({
    letters: z
      .array(letterKey.meta({ id: 'DeadLetterKey' }))
      .min(1)
      .max(lettersAtOnce)
      .meta({ description: 'Up to 100.' }),
  }),
  output: z
    .object({
      letters: z.array(
        z
          .object({
            ...letterKey.shape,
            outcome: z.enum(outcomes).meta({
              description:
                '`gone`: it is not among the dead letters now; `away`: its service or RabbitMQ did not answer in time, try again.',
            }),
          })
          .meta({ id: 'ReplayedDeadLetter' }),
      ),
    })
    .meta({ id: 'ReplayedDeadLetters' }),
  async handler({ input: { letters }, caller }, context: OperationsContext) {
    for (const { queue } of letters) deadLettersOf(queue, context);
    await context.operations.settled.count(caller.memberId, letters.length);
    const byQueue = Map.groupBy(letters, ({ queue }) => queue);
    const done = await Promise.all([...byQueue].map(([queue, some]) => replayed(queue, some, context)));
    return { letters: done.flat() };
  },
});

/** Letters that say what somebody paid for: only the command line deletes them, where their queue has to be named. */
const kept: readonly QueueName[] = ['profile.memberships'];

/** DELETE /staff/operations/dead-letters/{queue}/{letterid} */
export const deleteDeadLetter = endpoint({
  access: 'staff',
  staff,
  operationId: 'deleteStaffDeadLetter',
  summary: 'Delete a dead letter',
  description:
    'The event then never takes effect. Letters of `profile.memberships` are 409: members would lack what they paid for; `covalence events drop` deletes those too.',
  answer: 'The dead letter is deleted.',
  example: { request: { queue: example.queue, letterid: example.id } },
  statuses: [404, 409],
  input: z.object({ queue: letterKey.shape.queue, letterid: letterKey.shape.id }),
  output: z.object({}),
  async handler({ input: { queue, letterid: id }, caller }, context: OperationsContext) {
    const deadLetters = deadLettersOf(queue, context);
    if (kept.some((name) => name === queue)) throw conflicting();
    await context.operations.settled.count(caller.memberId);
    const { settled } = await deadLetters.settle({ action: 'drop', letters: [{ queue, id }] });
    if (!settled.length) throw notFound();
    return {};
  },
});
