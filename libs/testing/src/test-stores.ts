import { randomBytes } from 'node:crypto';

/** Addresses of the engines of this test run. */
export interface TestStores {
  readonly MONGODB_URL: string;
  readonly REDIS_URL: string;
  readonly RABBITMQ_URL: string;
  readonly ELASTICSEARCH_URL: string;
}

/** Their environment variables. */
export const storeVariables = ['MONGODB_URL', 'REDIS_URL', 'RABBITMQ_URL', 'ELASTICSEARCH_URL'] as const;

/** Reads the engine addresses; throws when tests run without engines. */
export function testStores(): TestStores {
  const missing = storeVariables.filter((name) => !process.env[name]);
  if (missing.length) throw new Error(`${missing.join(', ')} not set: run the tests with npm test`);
  return Object.fromEntries(storeVariables.map((name) => [name, process.env[name]])) as Record<
    (typeof storeVariables)[number],
    string
  >;
}

/** A unique namespace for the databases, queues, indices and keys of a suite. */
export function testNamespace(suite: string): string {
  return `t-${suite}-${randomBytes(4).toString('hex')}`;
}
