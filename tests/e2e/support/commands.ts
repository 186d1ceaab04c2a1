import type { StackUnderTest } from '@covalence/testing/stack-under-test';
import { testStores } from '@covalence/testing/test-stores';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../../cli/dist/covalence.js', import.meta.url));

/** Runs a command in an environment; resolves with exit code, output and problem. */
function run(variables: Readonly<Record<string, string>>, args: readonly string[]) {
  const env = { ...process.env, ...variables };
  return new Promise<{ code: number; out: string; problem: string }>((resolve) => {
    execFile(process.execPath, [program, ...args], { env }, (error, out, problem) =>
      resolve({ code: Number(error?.code ?? 0), out, problem }),
    );
  });
}

/** Runs `covalence events …` on a stack with shared engines; resolves with exit code and output. */
export const runEvents = (stack: StackUnderTest, ...args: readonly string[]) =>
  run(
    {
      NAMESPACE: stack.namespace,
      RABBITMQ_URL: testStores().RABBITMQ_URL,
      AUTH_URL: stack.service('auth').url,
      OPERATOR_SECRET: stack.instance.serviceSecrets.operator,
    },
    ['events', ...args],
  );

/** Runs `covalence operations`. */
export const runOperations = (stack: StackUnderTest, ...args: readonly string[]) =>
  run(
    {
      PROFILE_URL: stack.service('profile').url,
      OPERATOR_SECRET: stack.instance.serviceSecrets.operator,
    },
    ['operations', ...args],
  );

/** Runs a command that calls the search service for a staff account. */
export const runSearchCommand = (stack: StackUnderTest, ...args: readonly string[]) =>
  run(
    {
      AUTH_URL: stack.service('auth').url,
      SEARCH_URL: stack.service('search').url,
      STAFF_SECRET: stack.instance.serviceSecrets['staff-cli'],
    },
    args,
  );
