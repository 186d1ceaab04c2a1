import { operations, readOperations } from '@covalence/contract/internal/operations-api';
import { endpoint, serviceEndpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { OperationsContext } from './operations.ts';

/** GET /staff/operations: the state of the whole system. */
export const showOperations = endpoint({
  access: 'staff',
  staff: { roles: ['operator'], site: 'every' },
  operationId: 'getStaffOperations',
  summary: 'Get the state of the system',
  description:
    'The status that every service reports, and the problems that need attention, as `covalence operations` prints them. A service that does not answer in time has no `status`. It contains no secrets, addresses or member data.',
  answer: 'The state.',
  input: z.object({}),
  output: operations,
  handler: (_call, context: OperationsContext) => context.operations.read(),
});

/** POST /internal/operations: the same for the command line. */
export const operationsOf = serviceEndpoint(readOperations, (_input, context: OperationsContext) =>
  context.operations.read(),
);
