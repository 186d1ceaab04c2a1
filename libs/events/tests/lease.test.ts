import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@covalence/runtime/logger';
import { until } from '@covalence/testing/until';
import { createLease, underLease } from '../src/lease.ts';
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

const late = () => new Error('too late');
const leaseOf = (name: string, ttlMs?: number) => createLease(bus.connection, name, ttlMs);

describe('work under a lease', () => {
  it('is done by one process at a time, which releases it then', async () => {
    let [working, most] = [0, 0];
    const work = async () => {
      working += 1;
      most = Math.max(most, working);
      expect(await leaseOf('f').hold()).toBe(false);
      working -= 1;
    };
    const limits = { waitMs: 10_000, late };
    await Promise.all([1, 2, 3].map(() => underLease({ lease: leaseOf('f'), ...limits }, work)));
    expect(most).toBe(1);
    expect(await leaseOf('f').hold()).toBe(true);
  });

  it('rejects where another process holds it for too long', async () => {
    const holder = leaseOf('g');
    await holder.hold();
    let waits = 0;
    const options = { lease: leaseOf('g'), waitMs: 0, late, onWait: () => void (waits += 1) };
    await expect(underLease(options, () => Promise.resolve())).rejects.toThrow('too late');
    expect(waits).toBe(1);
    await holder.release();
    await expect(underLease(options, () => Promise.resolve('done'))).resolves.toBe('done');
  });

  it('is stopped when the lease is lost', async () => {
    const other = leaseOf('h');
    const options = { lease: leaseOf('h', 50), waitMs: 0, late, renewMs: 200 };
    const held = underLease(options, async (signal) => {
      await until('the other holds it', () => other.hold());
      await until('told', () => signal.aborted);
      signal.throwIfAborted();
    });
    await expect(held).rejects.toThrow('lost');
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

  it('runs in every process where the job says so', async () => {
    const context = { ...bus, logger: createLogger('test', 'silent') };
    const ran: string[] = [];
    const processes = ['one', 'other'].map((name) =>
      startJobs(context, {
        'own-job': { everyMs: 60_000, everyProcess: true, work: () => Promise.resolve(void ran.push(name)) },
      }),
    );
    await until('both ran', () => ran.length === 2);
    expect(ran.toSorted()).toEqual(['one', 'other']);
    await Promise.all(processes.map((one) => one.close()));
  });
});
