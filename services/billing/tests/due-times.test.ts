import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runMigrateCommand } from '@covalence/migrations/migrate-command';
import { migrations } from '../src/migrations/migrations.ts';
import { startBilling, type Billing } from './harness.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await startBilling('due-times');
});
afterAll(() => billing.close());

const migrate = (command: string) =>
  runMigrateCommand(command, { connection: billing.context.connection, migrations, print: () => undefined });

const stored = () =>
  billing.context.connection.collection<{ _id: number; status: string; expires_at: Date }>('memberships');

const indexes = async () => (await stored().listIndexes().toArray()).map(({ name }) => String(name));

/** What a member bought, as the version before due times wrote it: it ends at a time, and is not renewed. */
const keepWithoutDueTime = async (member: number) => {
  billing.time.now = new Date('2026-06-15T12:00:00Z');
  const input = { package_id: 1, rate_id: 11, receipt: `good:${member}` };
  expect((await billing.post('/packages/purchase', input, { id: member })).status).toBe(200);
  const old = { $set: { expires_at: new Date('2027-01-01T00:00:00Z'), autorenew: false } };
  await stored().updateOne({ _id: member }, { ...old, $unset: { due_at: 1, source: 1 } });
};

const state = async (member: number) => {
  const found = await billing.context.memberships.find(member);
  return found && [found.status, found.autorenew, found.expires_at.toISOString().slice(0, 16)];
};

describe('memberships from before due times', () => {
  it('end at their time once they were migrated, also those written during the upgrade', async () => {
    await stored().createIndex({ status: 1, expires_at: 1 });
    await keepWithoutDueTime(90);
    expect(await migrate('up')).toBe(0);
    await keepWithoutDueTime(91);
    expect(await indexes()).toContain('status_1_expires_at_1');
    await billing.moveTo('2026-12-31T23:59:00Z');
    expect(await state(90)).toEqual(['active', false, '2027-01-01T00:00']);
    await billing.moveTo('2027-01-01T00:00:00Z');
    expect([(await state(90))?.[0], (await state(91))?.[0]]).toEqual(['none', 'active']);
    expect(await migrate('finish')).toBe(0);
    await billing.moveTo('2027-01-01T00:01:00Z');
    expect((await state(91))?.[0]).toBe('none');
    expect(await indexes()).not.toContain('status_1_expires_at_1');
  });
});
