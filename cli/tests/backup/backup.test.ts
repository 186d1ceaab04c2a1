import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createBackup } from '@covalence/cli/backup/create-backup';
import { openDatabases, type Databases } from '@covalence/cli/backup/databases-store';
import { readDeletions, recordDeletions, repeatDeletions } from '@covalence/cli/backup/deletions';
import { findBackup, listBackups } from '@covalence/cli/backup/manifest';
import { createPlace } from '@covalence/cli/backup/place';
import { restore, type RestoreOptions } from '@covalence/cli/backup/restore';
import { createSealing } from '@covalence/cli/backup/sealing';
import { createDisk } from '@covalence/profile/photos/photo-storage-store';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mongo } from 'mongoose';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clusterTime, startFakeReplicaSet } from './fake-replica-set.ts';

const day = 86_400_000;
const days = 30;
const namespace = testNamespace('backup');
const at = (offset: number) => new Date(Date.now() + offset);

let databases: Databases;
let folder: string;
let identity: string;

beforeAll(async () => {
  databases = await openDatabases(testStores().MONGODB_URL, namespace);
  identity = await generateIdentity();
});
afterAll(() => databases.close());

beforeEach(async () => {
  for (const service of ['auth', 'profile', 'search', 'billing'] as const)
    for (const name of await databases.collections(service)) await databases.empty(service, name);
  for (const name of ['families', 'signing_keys']) await databases.collection('auth', name).deleteMany({});
  await databases.progress.deleteMany({});
  folder = mkdtempSync(join(tmpdir(), 'covalence-backup-'));
  return () => rmSync(folder, { recursive: true });
});

const placeWith = (recipients: string[], identities: string[]) =>
  createPlace(createDisk({ folder: join(folder, 'place') }), createSealing(recipients, identities));
const plainPlace = () => placeWith([], []);
const photos = () => createDisk({ folder: join(folder, 'photos') });

const members = () => databases.collection<{ _id: number } & Record<string, unknown>>('profile', 'members');
const member = (id: number, more: object = {}) => ({
  _id: id,
  deactivated: false,
  deleted: false,
  suspended: false,
  userstatus: 'approved',
  membership: { status: 'none', autorenew: false, expires_at: null, version: 0 },
  ...more,
});

const backUp = (place = plainPlace()) =>
  createBackup({ databases, photos: photos(), place, days, withoutSnapshot: true, print: () => {} });

async function restoreFrom(place = plainPlace(), more: Partial<RestoreOptions> = {}) {
  const { RABBITMQ_URL: rabbitmq, REDIS_URL: redis, ELASTICSEARCH_URL: elasticsearch } = testStores();
  return restore({
    databases,
    place,
    photos: photos(),
    copies: { namespace, rabbitmq, redis, elasticsearch },
    from: more.from ?? (await findBackup(place, undefined)),
    replace: true,
    ignoreDeletions: false,
    days,
    print: () => {},
    ...more,
  });
}

const due = (id: number, erase_at: Date, more: object = {}) =>
  member(id, { deactivated: true, erase_at, ...more });

const interrupted = (line: string) => {
  if (line === 'skip numbers') throw new Error('killed');
};

describe('a backup', () => {
  it('keeps the types of all values, and photos; a damaged file is found before anything is replaced', async () => {
    const values = {
      double: new mongo.Double(1),
      long: new mongo.Long(5),
      text: 'é',
      at: new Date(5),
      bytes: new mongo.Binary(Buffer.from('b')),
      none: null,
      list: [1, { of: 'x' }],
    };
    await members().insertMany([member(1, values), member(2)]);
    await photos().put('one_150x150.jpg', 'a photo');
    const { collections } = await backUp();
    await members().deleteMany({ _id: 2 });
    await photos().delete('one_150x150.jpg');
    await restoreFrom();
    const raw = { promoteValues: false, bsonRegExp: true } as const;
    expect(await members().findOne({ _id: 1 }, raw)).toMatchObject({
      double: new mongo.Double(1),
      long: new mongo.Long(5),
      at: new Date(5),
      bytes: new mongo.Binary(Buffer.from('b')),
    });
    expect(await members().countDocuments()).toBe(2);
    expect(await photos().get('one_150x150.jpg')).toBe('a photo');

    const [file] = collections.flatMap(({ files }) => files);
    writeFileSync(join(folder, 'place', file?.name ?? ''), 'something else');
    await members().insertOne(member(3));
    await expect(restoreFrom()).rejects.toThrow('is damaged');
    expect(await members().countDocuments()).toBe(3);
  });

  it('is read with the private key only, and holds no sign-in', async () => {
    const recipient = await identityToRecipient(identity);
    await members().insertOne(member(1, { text: 'a secret text' }));
    await databases.collection('auth', 'families').insertOne({ account_id: 'x' });
    await photos().put('one.jpg', 'a secret photo');
    const { collections } = await backUp(placeWith([recipient], []));
    expect(collections.map(({ name }) => name)).toEqual(['members']);
    const stored = readdirSync(join(folder, 'place'), { recursive: true, withFileTypes: true }).filter(
      (one) => one.isFile(),
    );
    for (const { parentPath, name } of stored)
      expect(readFileSync(join(parentPath, name), 'latin1')).toMatch(
        /^age-encryption\.org|^\{"(format|at)"|^\{\}$/,
      );
    await expect(restoreFrom(plainPlace())).rejects.toThrow('BACKUP_IDENTITIES');
    await expect(restoreFrom(placeWith([], [await generateIdentity()]))).rejects.toThrow(
      'no key of this backup',
    );
    expect(await members().countDocuments()).toBe(1);
    await members().deleteMany({});
    await restoreFrom(placeWith([], [identity]));
    expect(await members().findOne()).toMatchObject({ text: 'a secret text' });
    expect(await photos().get('one.jpg')).toBe('a secret photo');
  });

  it('is deleted after its days, with photos that were deleted before; the newest stays', async () => {
    await members().insertOne(member(1));
    await photos().put('one.jpg', 'x');
    const place = plainPlace();
    const { id } = await backUp(place);
    const [, kept] = [await photos().delete('one.jpg'), await backUp(place)];
    expect(await place.files('photos')).toEqual(['one.jpg']);
    const manifest = join(folder, 'place', id, 'manifest.json');
    writeFileSync(
      manifest,
      readFileSync(manifest, 'utf8').replace(/"point":"[^"]+"/, `"point":"${at(-31 * day).toISOString()}"`),
    );
    writeFileSync(
      join(folder, 'place', 'photos-gone.json'),
      JSON.stringify({ 'one.jpg': at(-31 * day).toISOString() }),
    );
    const { id: newest } = await backUp(place);
    expect((await listBackups(place)).map((one) => one.id)).toEqual([kept.id, newest]);
    expect(await place.files('photos')).toEqual([]);
  });

  it('reads every collection of a replica set at the cluster time of the first read', async () => {
    const two = [{ _id: 1 }, { _id: 2 }];
    const large = [1, 2, 3].map((_id) => ({ _id, text: 'x'.repeat(10_000_000) }));
    const server = await startFakeReplicaSet({
      'covalence-profile.members': two,
      'covalence-profile.pairs': large,
      'covalence-profile.leases': two,
      'covalence-auth.accounts': two,
    });
    const replicated = await openDatabases(server.url, 'covalence');
    try {
      const options = {
        databases: replicated,
        photos: undefined,
        place: plainPlace(),
        days,
        print: () => {},
      };
      const { snapshot, collections } = await createBackup({ ...options, withoutSnapshot: false });
      expect(snapshot).toBe(true);
      expect(collections.map(({ name, documents, files }) => [name, documents, files.length])).toEqual([
        ['pairs', 3, 2],
        ['members', 2, 1],
        ['accounts', 2, 1],
      ]);
      const reads = server.commands.filter(
        ({ find, filter }) => find && !Object.keys(filter as object).length,
      );
      const [first, ...others] = reads.filter(({ singleBatch }) => !singleBatch);
      expect(first?.['readConcern']).toEqual({ level: 'snapshot' });
      expect(others.map(({ readConcern }) => readConcern)).toEqual(
        others.map(() => ({ level: 'snapshot', atClusterTime: clusterTime })),
      );
      expect(others).toHaveLength(2);
      expect(server.commands.some((command) => 'insert' in command || 'update' in command)).toBe(false);
    } finally {
      await replicated.close();
      server.close();
    }
  });

  it('of a server without snapshots needs a flag', async () => {
    const options = { databases, photos: undefined, place: plainPlace(), days, print: () => {} };
    await expect(createBackup({ ...options, withoutSnapshot: false })).rejects.toThrow('--without-snapshot');
  });
});

describe('a restore', () => {
  it('deletes nothing without --replace, and goes on where it was interrupted', async () => {
    await members().insertMany([member(1), member(2)]);
    await databases
      .collection<{ _id: string; last: number }>('profile', 'counters')
      .insertOne({ _id: 'member', last: 40 });
    await databases.collection('auth', 'accounts').insertOne({ id: 1 });
    await backUp();
    await expect(restoreFrom(plainPlace(), { replace: false })).rejects.toThrow('--replace');
    await expect(restoreFrom(plainPlace(), { print: interrupted })).rejects.toThrow('killed');
    await expect(backUp()).rejects.toThrow('not finished');
    const steps: string[] = [];
    await restoreFrom(plainPlace(), { replace: false, print: (line) => void steps.push(line) });
    expect(steps.slice(1, 3)).toEqual(['repeat deletions', 'copy memberships']);
    expect(await members().countDocuments()).toBe(2);
    expect(await databases.collection('profile', 'counters').findOne()).toMatchObject({ last: 1_000_040 });
  });

  it('settles what other tools have loaded', async () => {
    await members().insertOne(member(1));
    await databases.collection('auth', 'families').insertOne({ account_id: 'x' });
    expect(await restoreFrom(plainPlace(), { from: at(-day), replace: false })).toMatchObject({
      documents: null,
    });
    expect(await members().countDocuments()).toBe(1);
    expect(await databases.collection('auth', 'families').countDocuments()).toBe(0);
  });

  it('ends sign-ins and recoveries, and copies memberships whose events were on their way', async () => {
    const expires_at = at(day);
    const paid = { status: 'active', autorenew: true, expires_at, version: Date.now() };
    await members().insertMany([
      member(1, { push_subscriptions: [{ id: 'x' }] }),
      member(2, { membership: { ...paid, version: paid.version + 1, autorenew: false } }),
    ]);
    await databases.collection<{ _id: number }>('billing', 'memberships').insertMany([
      { _id: 1, ...paid },
      { _id: 2, ...paid },
    ]);
    await databases.collection('auth', 'accounts').insertOne({ recovery: { id: 'x' } });
    await backUp();
    await databases.collection('auth', 'signing_keys').insertOne({ kid: 'from before' });
    await databases.collection('auth', 'families').insertOne({ account_id: 'x' });
    await restoreFrom();
    expect(await databases.collection('auth', 'signing_keys').countDocuments()).toBe(0);
    expect(await databases.collection('auth', 'families').countDocuments()).toBe(0);
    expect(await databases.collection('auth', 'accounts').findOne()).not.toHaveProperty('recovery');
    const [first, second] = await members().find().sort({ _id: 1 }).toArray();
    expect(first).toMatchObject({ membership: { ...paid, expires_at } });
    expect(first).not.toHaveProperty('push_subscriptions');
    expect(second).toMatchObject({ membership: { autorenew: false } });
  });
});

describe('deletions', () => {
  it('since the backup are repeated, and those taken back stay taken back', async () => {
    const soon = at(20 * day);
    await members().insertMany([
      member(1),
      due(2, at(-1)),
      due(3, soon),
      due(4, soon, { deleted: true, own_erase_at: at(9 * day) }),
      due(6, soon),
    ]);
    await databases.collection<{ _id: string; id: number; username: string }>('auth', 'accounts').insertMany([
      { _id: 'a', id: 0, username: 'ann' },
      { _id: 'b', id: 0, username: 'bob' },
    ]);
    const place = plainPlace();
    await backUp(place);
    // One asks for it, one is erased, two came back; staff disable a colleague.
    await members().updateOne({ _id: 1 }, { $set: { deactivated: true, erase_at: soon } });
    await members().deleteOne({ _id: 2 });
    await members().updateOne({ _id: 3 }, { $set: { deactivated: false }, $unset: { erase_at: 1 } });
    await members().updateOne(
      { _id: 4 },
      { $set: { deleted: false, erase_at: at(9 * day) }, $unset: { own_erase_at: 1 } },
    );
    await databases
      .collection('auth', 'accounts')
      .updateOne({ username: 'bob' }, { $set: { disabled: true } });
    await recordDeletions(databases, place, days);
    // Everything is lost, and the job still runs.
    for (const name of ['members', 'accounts'])
      await databases.collection(name === 'members' ? 'profile' : 'auth', name).deleteMany({});
    await recordDeletions(databases, place, days);
    await restoreFrom(place);
    const after = new Map((await members().find().toArray()).map((one) => [one._id, one]));
    expect(after.get(1)).toMatchObject({ deactivated: true });
    expect(Number(after.get(1)?.['erase_at'])).toBeGreaterThan(Date.now() + 29 * day);
    expect(Number(after.get(2)?.['erase_at'])).toBeLessThanOrEqual(Date.now());
    expect(after.get(3)).toMatchObject({ deactivated: false });
    expect(after.get(3)).not.toHaveProperty('erase_at');
    expect(after.get(4)).toMatchObject({ deleted: false });
    expect(after.get(4)).not.toHaveProperty('own_erase_at');
    expect(await databases.collection('auth', 'accounts').find({ disabled: true }).toArray()).toMatchObject([
      { username: 'bob' },
    ]);
  });

  it('that nobody knows of get their 30 days again, also the own one behind one by staff', async () => {
    await members().insertMany([
      due(1, at(2 * day)),
      due(2, at(3 * day), { deleted: true, own_erase_at: at(day) }),
      due(3, at(-day)),
    ]);
    await repeatDeletions(databases, undefined);
    const [one, two, overdue] = await members().find().sort({ _id: 1 }).toArray();
    for (const date of [one?.['erase_at'], two?.['erase_at'], two?.['own_erase_at']])
      expect(Number(date)).toBeGreaterThan(Date.now() + 29 * day);
    expect(Number(overdue?.['erase_at'])).toBeLessThan(Date.now());
  });

  it('erase nobody at once who had not asked for it at the point, whatever the register says', async () => {
    await members().insertMany([member(1), member(2)]);
    const register = {
      at: new Date(),
      members: [
        { kind: 'erased' as const, id: 1, at: new Date() },
        { kind: 'due' as const, id: 2, deactivated: true, deleted: false, erase_at: at(-day) },
      ],
      accounts: [],
      clients: [],
    };
    await repeatDeletions(databases, register);
    for (const { erase_at, deactivated } of await members().find().toArray()) {
      expect(deactivated).toBe(true);
      expect(Number(erase_at)).toBeGreaterThan(Date.now() + 29 * day);
    }
  });

  it('are not taken for erasures while the documents of members are missing too early', async () => {
    await members().insertMany([due(1, at(5 * day)), member(2)]);
    const place = plainPlace();
    await recordDeletions(databases, place, days);
    await members().deleteOne({ _id: 1 });
    await recordDeletions(databases, place, days);
    expect((await readDeletions(place))?.members).toMatchObject([{ kind: 'due', id: 1 }]);
  });
});
