import { randomBytes } from 'node:crypto';

/** Addresses of the engines that `npm test` started for this run. */
export interface TestStores {
  readonly MONGODB_URL: string;
  readonly REDIS_URL: string;
  readonly RABBITMQ_URL: string;
  readonly ELASTICSEARCH_URL: string;
}

/** The variables that name them. */
export const storeVariables = ['MONGODB_URL', 'REDIS_URL', 'RABBITMQ_URL', 'ELASTICSEARCH_URL'] as const;

/** The engines of this test run; throws when tests are started without them. */
export function testStores(): TestStores {
  const missing = storeVariables.filter((name) => !process.env[name]);
  if (missing.length) throw new Error(`${missing.join(', ')} not set: run the tests with npm test`);
  return Object.fromEntries(storeVariables.map((name) => [name, process.env[name]])) as Record<
    (typeof storeVariables)[number],
    string
  >;
}

/** A namespace of its own for one suite: databases, queues, indices and keys are kept apart by it. */
export function testNamespace(suite: string): string {
  return `t-${suite}-${randomBytes(4).toString('hex')}`;
}
