import { randomBytes } from 'node:crypto';

/** Environment variables with the addresses of the engines of this test run. */
export const storeVariables = ['MONGODB_URL', 'REDIS_URL', 'RABBITMQ_URL', 'ELASTICSEARCH_URL'] as const;

/** Their values. */
export type TestStores = Readonly<Record<(typeof storeVariables)[number], string>>;

/** Reads the engine addresses; throws when tests run without engines. */
export function testStores(): TestStores {
  const missing = storeVariables.filter((name) => !process.env[name]);
  if (missing.length) throw new Error(`${missing.join(', ')} not set: run the tests with npm test`);
  return Object.fromEntries(storeVariables.map((name) => [name, process.env[name]])) as TestStores;
}

/** A unique namespace for the databases, queues, indices and keys of a suite. */
export function testNamespace(suite: string): string {
  return `t-${suite}-${randomBytes(4).toString('hex')}`;
}
