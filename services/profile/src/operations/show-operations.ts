import { operations, readOperations } from '@covalence/contract/internal/operations-api';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { OperationsContext } from './operations.ts';

/** GET /staff/operations: the state of the whole system. */
export const showOperations = endpoint({
  access: 'staff',
  staff: { roles: ['operator'], site: 'every' },
  tag: 'Staff',
  operationId: 'getStaffOperations',
  summary: 'Get the state of the system',
  description:
    'What every service says of itself, and the problems that somebody has to look at: what `covalence operations` prints. A service that does not answer in time has no `status`. It has no secrets, no addresses and nothing of members.',
  answer: 'The state.',
  input: z.object({}),
  output: operations,
  handler: (_call, context: OperationsContext) => context.operations.read(),
});

/** POST /internal/operations: the same for the command line. */
export const operationsOf = endpoint({
  access: 'service',
  summary: 'Read the state of the system',
  ...readOperations,
  handler: (_call, context: OperationsContext) => context.operations.read(),
});
