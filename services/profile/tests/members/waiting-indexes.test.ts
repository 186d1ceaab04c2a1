import { databaseOf } from '@covalence/migrations/migration';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { v7 } from 'uuid';
import { uuidIndexMigration } from '../../src/members/store/uuid-index-migration.ts';
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

it('auth of the version before settles registrations until the unique index of UUIDs is dropped', async () => {
  const { collection } = databaseOf(service.context.connection);
  const members = collection<Record<string, unknown>>('members');
  await members.createIndex({ member_id: 1 }, { unique: true });
  const member_id = v7();
  const settled = await service.internal('/internal/members/settle', { member_id });
  expect(settled.body).toEqual({ exists: false });
  const { store } = service.context.members;
  const other = await store.byId((await service.register()).id);
  if (!other) throw new Error('the member is not there');
  await expect(store.insert({ ...other, _id: 999_998, member_id })).resolves.toBe(false);
  const work = { collection, signal: new AbortController().signal, print: () => undefined };
  await uuidIndexMigration.up(work);
  await uuidIndexMigration.up(work);
  const names = (await members.indexes()).map(({ name }) => name);
  expect(names).toContain('member_id_1__id_1');
  expect(names).not.toContain('member_id_1');
});
