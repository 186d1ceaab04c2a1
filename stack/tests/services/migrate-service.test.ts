import { afterAll, describe, expect, it } from '@jest/globals';
import { withDatabases } from '@covalence/testing/with-databases';
import { testStores } from '@covalence/testing/test-stores';
import { newInstance } from '../../src/services/instance.ts';
import { migrateService } from '../../src/services/migrate-service.ts';
import { serviceEnvironment } from '../../src/services/service-environment.ts';
import { servicePorts } from '../../src/services/service-ports.ts';

const instance = newInstance('t-migrate');

/** The database of the billing service. */
const inDatabase = <Result>(work: Parameters<typeof withDatabases<Result>>[0]) =>
  withDatabases((connection) => work(connection.useDb(`${instance.namespace}-billing`)));

const environmentWith = async (settings: Readonly<Record<string, string>>) => {
  const stores = testStores();
  const environment = serviceEnvironment('billing', {
    instance,
    engines: { mongodb: stores.MONGODB_URL, rabbitmq: stores.RABBITMQ_URL },
    ports: await servicePorts(),
    publicUrl: 'http://localhost:1',
    photoDir: '',
    mailDir: '',
    environment: { PATH: process.env['PATH'] },
  });
  return { ...environment, ...settings };
};

const migrate = async (settings: Readonly<Record<string, string>> = {}) => {
  const lines: string[] = [];
  const environment = await environmentWith(settings);
  const stopped = new AbortController().signal;
  await migrateService('billing', { environment, stopped, onMigration: (line) => lines.push(line) });
  return lines;
};

describe('migration of a service by npm start', () => {
  afterAll(() => inDatabase((connection) => connection.dropDatabase()));

  it('does nothing when no migration is due', async () => {
    expect(await migrate()).toEqual([]);
  });

  it('fails with the whole output of the tool', async () => {
    await expect(migrate({ SERVICE_SECRET: 'short' })).rejects.toThrow(
      /^The data of billing could not be migrated to this version: billing: failed: The configuration is not valid:\n {2}SERVICE_SECRET\.0: [^\n]+$/,
    );
  });
});
