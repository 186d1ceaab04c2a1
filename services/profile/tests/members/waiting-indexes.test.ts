import { databaseOf } from '@covalence/migrations/migration';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { waitingIndexMigration } from '../../src/members/store/waiting-index-migration.ts';
import { startService, type TestService } from '../harness.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService('waiting-indexes');
});
afterAll(() => service.close());

it('the migration drops the indexes of queues that the version before used, and may be repeated', async () => {
  const { collection } = databaseOf(service.context.connection);
  const members = collection<Record<string, unknown>>('members');
  await members.createIndex({ 'waiting.profile': 1 }, { sparse: true });
  const printed: string[] = [];
  const work = {
    collection,
    signal: new AbortController().signal,
    print: (line: string) => void printed.push(line),
  };
  const names = async () => (await members.indexes()).map(({ name }) => name);
  expect(await names()).toContain('waiting.profile_1');
  await waitingIndexMigration.up(work);
  await waitingIndexMigration.up(work);
  expect(printed).toEqual(['members: waiting.profile_1 dropped']);
  expect(await names()).toContain('siteid_1_waiting.profile_1__id_1');
});
