import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@covalence/runtime/logger';
import { until } from '@covalence/testing/until';
import { createLease } from '../src/lease.ts';
import { startJobs } from '../src/periodic.ts';
import { startBus, type Bus } from './harness.ts';

let bus: Bus;
beforeAll(async () => {
  bus = await startBus('lease');
});
afterAll(() => bus.close());

describe('a lease', () => {
  it('has one holder, who renews and releases it', async () => {
    const [one, other] = [createLease(bus.connection, 'a'), createLease(bus.connection, 'a')];
    expect([await one.hold(), await other.hold(), await one.hold()]).toEqual([true, false, true]);
    await other.release();
    expect(await other.hold()).toBe(false);
    await one.release();
    expect([await other.hold(), await one.hold()]).toEqual([true, false]);
  });

  it('goes to one of many concurrent processes', async () => {
    const leases = Array.from({ length: 10 }, () => createLease(bus.connection, 'b'));
    const held = await Promise.all(leases.map((lease) => lease.hold()));
    expect(held.filter(Boolean)).toHaveLength(1);
  });

  it('is lost by a holder that does not renew it', async () => {
    const [dead, other] = [createLease(bus.connection, 'c'), createLease(bus.connection, 'c')];
    expect([await dead.hold(), await other.hold()]).toEqual([true, false]);
    // Simulates time.
    const leases = bus.connection.collection<{ _id: string }>('leases');
    await leases.updateOne({ _id: 'c' }, { $set: { until: new Date(Date.now() - 1) } });
    expect(await other.hold()).toBe(true);
    expect(await dead.hold()).toBe(false);
  });

  it('is separate by name', async () => {
    const held = await Promise.all(['d', 'e'].map((name) => createLease(bus.connection, name).hold()));
    expect(held).toEqual([true, true]);
  });
});

describe('the job of a service', () => {
  it('has the lease of its name for three intervals, and releases it at the shutdown', async () => {
    const leases = bus.connection.collection<{ _id: string; until: Date }>('leases');
    const begun = Date.now();
    let rounds = 0;
    const jobs = startJobs(
      { ...bus, logger: createLogger('test', 'silent') },
      {
        'a-job': { everyMs: 60_000, work: () => Promise.resolve(void (rounds += 1)) },
        'short-job': { everyMs: 60_000, leaseMs: 90_000, work: () => Promise.resolve(void (rounds += 1)) },
      },
    );
    await until('both ran', () => rounds === 2);
    const [long, short] = [
      await leases.findOne({ _id: 'a-job' }),
      await leases.findOne({ _id: 'short-job' }),
    ];
    expect(Number(long?.until)).toBeGreaterThanOrEqual(begun + 180_000);
    expect(Number(short?.until)).toBeLessThan(begun + 180_000);
    await jobs.close();
    expect(await leases.countDocuments({ _id: { $in: ['a-job', 'short-job'] } })).toBe(0);
  });
});
