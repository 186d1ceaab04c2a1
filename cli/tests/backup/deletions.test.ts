import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readDeletions, recordDeletions, repeatDeletions } from '@covalence/cli/backup/deletions';
import { idAt } from '@covalence/cli/backup/manifest';
import { at, day, days, due, member, startBackups, type Backups } from './harness.ts';

const now = { days, acceptLoss: false };

let backups: Backups;
beforeEach(async () => {
  backups = await startBackups('deletions');
});
afterEach(() => backups.close());

describe('deletions', () => {
  it('since the backup are repeated, and those taken back stay taken back', async () => {
    const soon = at(20 * day);
    await backups.members.insertMany([
      member(1),
      due(2, at(-1)),
      due(3, soon),
      due(4, soon, { deleted: true, own_erase_at: at(9 * day) }),
      due(6, soon),
      member(7, { suspended: true }),
      member(8, { suspended: false }),
    ]);
    await backups.databases
      .collection<{ _id: string; id: number; username: string }>('auth', 'accounts')
      .insertMany([
        { _id: 'a', id: 0, username: 'ann' },
        { _id: 'b', id: 0, username: 'bob' },
      ]);
    const store = backups.store;
    await backups.backUp(store);
    // One asks for it, one is erased, two came back; staff disable a colleague, and suspend a member.
    await backups.members.updateOne({ _id: 1 }, { $set: { deactivated: true, erase_at: soon } });
    await backups.members.deleteOne({ _id: 2 });
    await backups.members.updateOne({ _id: 3 }, { $set: { deactivated: false }, $unset: { erase_at: 1 } });
    await backups.members.updateOne(
      { _id: 4 },
      { $set: { deleted: false, erase_at: at(9 * day) }, $unset: { own_erase_at: 1 } },
    );
    await backups.databases
      .collection('auth', 'accounts')
      .updateOne({ username: 'bob' }, { $set: { disabled: true } });
    await backups.members.updateOne(
      { _id: 8 },
      { $set: { suspended: true, deactivation_changed_at: new Date() } },
    );
    await recordDeletions(backups.databases, store, now);
    // Everything is lost, and the job still runs.
    for (const name of ['members', 'accounts'])
      await backups.databases.collection(name === 'members' ? 'profile' : 'auth', name).deleteMany({});
    await expect(recordDeletions(backups.databases, store, now)).rejects.toThrow('restore first');
    await backups.restore({ store });
    const after = new Map((await backups.members.find().toArray()).map((one) => [one._id, one]));
    expect(after.get(1)).toMatchObject({ deactivated: true });
    expect(Number(after.get(1)?.['erase_at'])).toBeGreaterThan(Date.now() + 29 * day);
    expect(Number(after.get(2)?.['erase_at'])).toBeLessThanOrEqual(Date.now());
    expect([7, 8, 3].map((id) => after.get(id)?.['suspended'] ?? false)).toEqual([true, true, false]);
    expect(after.get(8)).toMatchObject({ tokens_ended_at: expect.any(Date) });
    expect(after.get(3)).toMatchObject({ deactivated: false });
    expect(after.get(3)).not.toHaveProperty('erase_at');
    expect(after.get(4)).toMatchObject({ deleted: false });
    expect(after.get(4)).not.toHaveProperty('own_erase_at');
    expect(
      await backups.databases.collection('auth', 'accounts').find({ disabled: true }).toArray(),
    ).toMatchObject([{ username: 'bob' }]);
  });

  it('that were not recorded get their 30 days again, also a member’s own deletion before one by staff', async () => {
    await backups.members.insertMany([
      due(1, at(2 * day)),
      due(2, at(3 * day), { deleted: true, own_erase_at: at(day) }),
      due(3, at(-day)),
    ]);
    await repeatDeletions(backups.databases, undefined);
    const [one, two, overdue] = await backups.members.find().sort({ _id: 1 }).toArray();
    for (const date of [one?.['erase_at'], two?.['erase_at'], two?.['own_erase_at']])
      expect(Number(date)).toBeGreaterThan(Date.now() + 29 * day);
    expect(Number(overdue?.['erase_at'])).toBeLessThan(Date.now());
  });

  it('erase nobody at once who had not asked for it at the point, whatever the register says', async () => {
    await backups.members.insertMany([member(1), member(2)]);
    const register = {
      at: new Date(),
      members: [
        { kind: 'erased' as const, id: 1, at: new Date() },
        { kind: 'due' as const, id: 2, deactivated: true, deleted: false, erase_at: at(-day) },
      ],
      suspended: [],
      accounts: [],
      clients: [],
      numbers: {},
      documents: { accounts: 0, members: 2 },
    };
    await repeatDeletions(backups.databases, register);
    for (const { erase_at, deactivated } of await backups.members.find().toArray()) {
      expect(deactivated).toBe(true);
      expect(Number(erase_at)).toBeGreaterThan(Date.now() + 29 * day);
    }
  });

  it('that are under way are erasures: a restore revives nobody, and brings no erasure to an end', async () => {
    const store = backups.store;
    await backups.members.insertMany([due(1, at(-1)), due(2, at(-1)), member(3), member(4)]);
    await backups.backUp(store);
    // The erasure of both has begun; one document is gone. The third was thought to have come back.
    const closed = { $set: { deleted: true }, $unset: { erase_at: 1 as const } };
    await backups.members.updateMany({ _id: { $in: [1, 2] } }, closed);
    const notes = backups.databases.collection<{ _id: number }>('profile', 'erasures');
    await notes.insertMany([{ _id: 1 }, { _id: 2 }]);
    await recordDeletions(backups.databases, store, now);
    await backups.members.deleteMany({ _id: 2 });
    await recordDeletions(backups.databases, store, now);
    const register = await readDeletions(store);
    expect(register?.members).toMatchObject([
      { kind: 'erased', id: 1 },
      { kind: 'erased', id: 2 },
    ]);
    await backups.restore({ store });
    for (const { erase_at } of await backups.members.find({ _id: { $lte: 2 } }).toArray())
      expect(Number(erase_at)).toBeLessThanOrEqual(Date.now());
    // A point at which an erasure was under way: it goes on.
    await backups.members.updateOne({ _id: 1 }, closed);
    await repeatDeletions(backups.databases, register);
    const half = await backups.members.findOne({ _id: 1 });
    expect(half).toMatchObject({ deleted: true });
    expect(half).not.toHaveProperty('erase_at');
  });

  it('are not recorded from a database that is damaged or older than the last record', async () => {
    const store = backups.store;
    const accounts = backups.databases.collection<{ _id: string; id: number }>('auth', 'accounts');
    const counters = backups.databases.collection<{ _id: string; last: number }>('profile', 'counters');
    await accounts.insertMany([
      { _id: 'a', id: 0 },
      { _id: 'b', id: 0, disabled: true } as { _id: string; id: number },
    ]);
    await counters.insertOne({ _id: 'member', last: 40 });
    await backups.members.insertMany([due(1, at(5 * day), { version: 7 }), due(2, at(-1)), member(3)]);
    const record = () => recordDeletions(backups.databases, store, now);
    await record();
    // Nobody is erased before its time.
    await backups.members.deleteMany({ _id: { $in: [1, 2] } });
    await record();
    const known = [
      { kind: 'due', id: 1 },
      { kind: 'erased', id: 2 },
    ];
    expect((await readDeletions(store))?.members).toMatchObject(known);
    // Another tool loads an older point: who had asked had not yet, the erased one is there, numbers are given again.
    await backups.members.insertOne(member(1, { version: 6 }));
    await expect(record()).rejects.toThrow('Member 1 is as before');
    await backups.members.replaceOne({ _id: 1 }, member(1, { version: 8 }));
    await backups.members.insertOne(member(2));
    await expect(record()).rejects.toThrow('Member 2 is as before');
    await backups.members.deleteOne({ _id: 2 });
    await counters.updateOne({}, { $set: { last: 39 } });
    await expect(record()).rejects.toThrow('last number');
    await counters.updateOne({}, { $set: { last: 40 } });
    // A disabled account is missing, then all are.
    await accounts.deleteOne({ _id: 'b' });
    expect((await record()).accounts).toEqual(['b']);
    await accounts.deleteMany({});
    await expect(record()).rejects.toThrow('accounts fell from 1 to 0');
    expect(await readDeletions(store)).toMatchObject({
      accounts: ['b'],
      members: [{ id: 1, kind: 'kept' }, known[1]],
    });
  });

  it('are recorded for as long as backups, by day', async () => {
    const store = backups.store;
    await backups.members.insertOne(member(1));
    const old = [-40 * day, -9 * day, -9 * day - 1].map((offset) => `${idAt(at(offset))}.json`);
    for (const name of old) await store.writeJson(`deletions/${name}`, {});
    for (let count = 0; count < 12; count += 1) await recordDeletions(backups.databases, store, now);
    expect((await store.files('deletions')).filter((name) => old.includes(name))).toEqual([old[1]]);
  });
});
