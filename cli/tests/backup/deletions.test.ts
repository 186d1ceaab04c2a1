import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readDeletions, recordDeletions, repeatDeletions } from '@covalence/cli/backup/deletions';
import { at, day, days, due, member, startBackups, type Backups } from './harness.ts';

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
    const place = backups.place;
    await backups.backUp(place);
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
    await recordDeletions(backups.databases, place, days);
    // Everything is lost, and the job still runs.
    for (const name of ['members', 'accounts'])
      await backups.databases.collection(name === 'members' ? 'profile' : 'auth', name).deleteMany({});
    await recordDeletions(backups.databases, place, days);
    await backups.restore({ place });
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

  it('that nobody knows of get their 30 days again, also the own one behind one by staff', async () => {
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
    };
    await repeatDeletions(backups.databases, register);
    for (const { erase_at, deactivated } of await backups.members.find().toArray()) {
      expect(deactivated).toBe(true);
      expect(Number(erase_at)).toBeGreaterThan(Date.now() + 29 * day);
    }
  });

  it('are not taken for erasures while the documents of members are missing too early', async () => {
    await backups.members.insertMany([due(1, at(5 * day)), member(2)]);
    const place = backups.place;
    await recordDeletions(backups.databases, place, days);
    await backups.members.deleteOne({ _id: 1 });
    await recordDeletions(backups.databases, place, days);
    expect((await readDeletions(place))?.members).toMatchObject([{ kind: 'due', id: 1 }]);
  });
});
