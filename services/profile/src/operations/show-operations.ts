import { operations, readOperations, type Operations } from '@covalence/contract/peers/operations-api';
import { endpoint, serviceEndpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { ReadStatus } from '@covalence/http/operations';
import type { Clock } from '@covalence/runtime/clock';
import type { Logger } from '@covalence/runtime/logger';
import { shareRecent } from '@covalence/runtime/share-recent';
import type { OperationsContext } from './operations.ts';
import { problemsOf } from './problems.ts';

const sharedMs = 2_000;

/**
 * Asks every service at once for its status. One that is down, or too slow, has none, and the others are shown all the same. Calls
 * within two seconds share an answer.
 */
export function createOperations(
  readers: Readonly<Record<string, ReadStatus>>,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): () => Promise<Operations> {
  const statusOf = async (service: string, read: ReadStatus) =>
    read().catch((error: unknown) => {
      logger.warn({ err: error, peer: service }, 'reading the status of a service failed');
      return null;
    });
  return shareRecent(sharedMs, async () => {
    const services = await Promise.all(
      Object.entries(readers).map(async ([service, read]) => ({
        service,
        status: await statusOf(service, read),
      })),
    );
    const at = clock();
    const problems = services.flatMap(({ service, status }) => problemsOf(service, status, at));
    return { at: at.toISOString(), problems, services };
  });
}

/** GET /staff/operations: the state of the whole system. */
export const showOperations = endpoint({
  access: 'staff',
  staff: {
    roles: ['operator'],
    site: 'every',
    shows: ({ services }) =>
      services.flatMap(({ status }) =>
        [status?.erasures, status?.payments].flatMap((work) => work?.members ?? []),
      ),
  },
  operationId: 'getStaffOperations',
  summary: 'Get the state of the system',
  description:
    'The status that every service reports, and the problems that need attention, as `covalence operations` prints them. A service that does not answer in time has no `status`. It contains no secrets and no addresses, and of members only the numbers of those whose payment or erasure hangs.',
  answer: 'The state.',
  input: z.object({}),
  output: operations,
  handler: (_call, context: OperationsContext) => context.operations.read(),
});

/** POST /internal/operations: the same for the command line. */
export const operationsOf = serviceEndpoint(readOperations, (_input, context: OperationsContext) =>
  context.operations.read(),
);
