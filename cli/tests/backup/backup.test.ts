import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createBackup } from '@covalence/cli/backup/create-backup';
import { openDatabases } from '@covalence/cli/backup/databases-store';
import { listBackups, verifyBackup } from '@covalence/cli/backup/manifest';
import { mongoReady } from '@covalence/runtime/mongo';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mongo } from 'mongoose';
import { join } from 'node:path';
import { clusterTime, startFakeCluster } from './fake-cluster.ts';
import { at, day, days, member, startBackups, type Backups } from './harness.ts';

let backups: Backups;
beforeEach(async () => {
  backups = await startBackups('backup');
});
afterEach(() => backups.close());

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
    const photos = [{ stem: 'lost', extension: '.jpg', sizes: [150] }];
    await backups.members.insertMany([member(1, { ...values, photos }), member(2)]);
    await backups.photos.put('one_150x150.jpg', 'a photo');
    await backups.photos.put('lost_150.jpg', 'a photo');
    const { collections } = await backups.backUp();
    await backups.members.deleteMany({ _id: 2 });
    await backups.photos.delete('one_150x150.jpg');
    await backups.photos.delete('lost_150.jpg');
    // One is missing since before the point but shown, one is damaged: neither stops a restore.
    const gone = { 'lost_150.jpg': at(-day).toISOString(), 'old_150x150.jpg': at(-day).toISOString() };
    await backups.store.writeJson('photos-gone.json', gone);
    await backups.store.write('photos/old_150x150.jpg', Buffer.from('deleted'));
    writeFileSync(join(backups.folder, 'photos/bad_150x150.jpg'), 'no photo');
    const { seconds, ...restored } = await backups.restore();
    expect(restored).toMatchObject({ photos: 2, photos_unreadable: 1 });
    expect(seconds).toBeGreaterThan(0);
    expect(await backups.photos.exists('lost_150.jpg')).toBe(true);
    expect(await backups.photos.exists('old_150x150.jpg')).toBe(false);
    const raw = { promoteValues: false, bsonRegExp: true } as const;
    expect(await backups.members.findOne({ _id: 1 }, raw)).toMatchObject({
      double: new mongo.Double(1),
      long: new mongo.Long(5),
      at: new Date(5),
      bytes: new mongo.Binary(Buffer.from('b')),
    });
    expect(await backups.members.countDocuments()).toBe(2);
    expect(await backups.photos.get('one_150x150.jpg')).toBe('a photo');

    const [file] = collections.flatMap(({ files }) => files);
    writeFileSync(join(backups.folder, file?.name ?? ''), 'something else');
    await backups.members.insertOne(member(3));
    await expect(backups.restore()).rejects.toThrow('is damaged');
    expect(await backups.members.countDocuments()).toBe(3);
  });

  it('is read with the private key only, and holds no sign-in', async () => {
    const identity = await generateIdentity();
    const recipient = await identityToRecipient(identity);
    await backups.members.insertOne(member(1, { text: 'a secret text' }));
    await backups.databases.collection('auth', 'families').insertOne({ account_id: 'x' });
    await backups.photos.put('one.jpg', 'a secret photo');
    const withoutKey = backups.storeWith([recipient], []);
    const manifest = await backups.backUp(withoutKey);
    expect(await verifyBackup(withoutKey, manifest, false)).toBe(1);
    expect(manifest.collections.map(({ name }) => name)).toEqual(['members']);
    const stored = readdirSync(backups.folder, { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    );
    for (const { parentPath, name } of stored)
      expect(readFileSync(join(parentPath, name), 'latin1')).toMatch(
        /^age-encryption\.org|^\{"(format|at)"|^\{\}$/,
      );
    await expect(backups.restore()).rejects.toThrow('BACKUP_IDENTITIES');
    await expect(
      backups.restore({ store: backups.storeWith([], [await generateIdentity()]) }),
    ).rejects.toThrow('no key of this backup');
    expect(await backups.members.countDocuments()).toBe(1);
    await backups.members.deleteMany({});
    await backups.restore({ store: backups.storeWith([], [identity]) });
    expect(await backups.members.findOne()).toMatchObject({ text: 'a secret text' });
    expect(await backups.photos.get('one.jpg')).toBe('a secret photo');
  });

  it('is deleted after its days, with photos that were deleted before; the newest stays', async () => {
    await backups.members.insertOne(member(1));
    await backups.photos.put('one.jpg', 'x');
    const store = backups.store;
    const { id } = await backups.backUp(store);
    const [, kept] = [await backups.photos.delete('one.jpg'), await backups.backUp(store)];
    expect(await store.files('photos')).toEqual(['one.jpg']);
    const manifest = join(backups.folder, id, 'manifest.json');
    writeFileSync(
      manifest,
      readFileSync(manifest, 'utf8').replace(/"point":"[^"]+"/, `"point":"${at(-31 * day).toISOString()}"`),
    );
    writeFileSync(
      join(backups.folder, 'photos-gone.json'),
      JSON.stringify({ 'one.jpg': at(-31 * day).toISOString() }),
    );
    const { id: newest } = await backups.backUp(store);
    expect((await listBackups(store)).map((one) => one.id)).toEqual([kept.id, newest]);
    expect(await store.files('photos')).toEqual([]);
  });

  it('refuses a system that has lost members or photos, and backs the databases up without photos', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `${index}.jpg`);
    await backups.members.insertMany(names.map((_, index) => member(index)));
    for (const name of names) await backups.photos.put(name, 'x');
    const first = await backups.backUp();
    for (const name of names.slice(1)) await backups.photos.delete(name);
    await expect(backups.backUp()).rejects.toThrow('29 of 30 photo files are gone');
    // A damaged note of what is gone is begun again.
    writeFileSync(join(backups.folder, 'photos-gone.json'), '{"0.j');
    await expect(backups.backUp()).rejects.toThrow('29 of 30 photo files are gone');
    expect((await listBackups(backups.store)).map(({ photos }) => photos)).toEqual([30, null, null]);
    for (const name of names) await backups.photos.put(name, 'x');
    await backups.members.deleteMany({ _id: { $gte: 9 } });
    const before = await listBackups(backups.store);
    await expect(backups.backUp()).rejects.toThrow('profile/members fell from 30 to 9 documents');
    await backups.members.deleteMany({});
    await expect(backups.backUp()).rejects.toThrow('--accept-loss');
    expect(await listBackups(backups.store)).toEqual(before);
    expect(first.collections).toHaveLength(1);
  });

  it.each(['replica set', 'sharded cluster'] as const)(
    'reads every collection of a %s at one cluster time',
    async (kind) => {
      const two = [{ _id: 1 }, { _id: 2 }];
      const large = [1, 2, 3].map((_id) => ({ _id, text: 'x'.repeat(10_000_000) }));
      const server = await startFakeCluster(kind, {
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
          store: backups.store,
          days,
          acceptLoss: false,
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
          ({ find, filter }) =>
            ['pairs', 'members', 'accounts'].includes(find as string) &&
            !Object.keys(filter as object).length,
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
    },
  );

  it('of a server without snapshots needs a flag', async () => {
    const options = {
      databases: backups.databases,
      photos: undefined,
      store: backups.store,
      days,
      acceptLoss: false,
      print: () => {},
    };
    await expect(createBackup({ ...options, withoutSnapshot: false })).rejects.toThrow('--without-snapshot');
  });
});

describe('a restore', () => {
  it('deletes nothing without --replace, and goes on where it was interrupted', async () => {
    await backups.members.insertMany([member(1), member(2)]);
    await backups.databases
      .collection<{ _id: string; last: number }>('profile', 'counters')
      .insertOne({ _id: 'member', last: 40 });
    await backups.databases.collection('auth', 'accounts').insertOne({ id: 1 });
    await backups.backUp();
    await expect(backups.restore({ replace: false })).rejects.toThrow('--replace');
    const leases = backups.databases.collection<{ until: Date }>('billing', 'leases');
    await leases.insertOne({ until: at(day) });
    await expect(backups.restore()).rejects.toThrow('billing holds a lock');
    await leases.deleteMany({});
    await expect(backups.restore({ print: interrupted })).rejects.toThrow('killed');
    await expect(backups.backUp()).rejects.toThrow('not finished');
    // No service uses half of it.
    const services = ['auth', 'profile', 'search', 'billing'].map(backups.connect);
    const areReady = (limitMs?: number) =>
      Promise.all(services.map((service) => mongoReady(service, limitMs)));
    await expect(areReady(300)).rejects.toThrow('in time');
    const steps: string[] = [];
    await backups.restore({ replace: false, print: (line) => void steps.push(line) });
    expect(steps.slice(1, 3)).toEqual(['repeat deletions', 'copy memberships']);
    await areReady();
    await Promise.all(services.map((service) => service.close()));
    expect(await backups.members.countDocuments()).toBe(2);
    expect(await backups.databases.collection('profile', 'counters').findOne()).toMatchObject({
      last: 1_000_040,
    });
    // A second restore of the same point gives nobody's number again.
    await backups.restore();
    expect(await backups.databases.collection('profile', 'counters').findOne()).toMatchObject({
      last: 2_000_040,
    });
  });

  it('settles what other tools have loaded', async () => {
    await backups.members.insertOne(member(1));
    await backups.databases.collection('auth', 'families').insertOne({ account_id: 'x' });
    expect(await backups.restore({ from: at(-day), replace: false })).toMatchObject({
      documents: null,
    });
    expect(await backups.members.countDocuments()).toBe(1);
    expect(await backups.databases.collection('auth', 'families').countDocuments()).toBe(0);
  });

  it('ends sign-ins and recoveries, and copies memberships whose events were on their way', async () => {
    const expires_at = at(day);
    const paid = { status: 'active', autorenew: true, expires_at, version: Number(at(-3 * day)) };
    await backups.members.insertMany([
      member(1, { push_subscriptions: [{ id: 'x' }] }),
      member(2, { membership: { ...paid, version: paid.version + 1, autorenew: false } }),
    ]);
    await backups.databases.collection<{ _id: number }>('billing', 'memberships').insertMany([
      { _id: 1, ...paid },
      { _id: 2, ...paid },
    ]);
    await backups.databases.collection('auth', 'accounts').insertOne({
      recovery: { id: 'x' },
      pending_email: { email: 'thief@example.com', until: at(day) },
      addresses_expire_at: at(day),
      initial_password_until: at(day),
    });
    await backups.backUp();
    await backups.databases.collection('auth', 'signing_keys').insertOne({ kid: 'from before' });
    await backups.databases.collection('auth', 'families').insertOne({ account_id: 'x' });
    await backups.restore();
    expect(await backups.databases.collection('auth', 'signing_keys').countDocuments()).toBe(0);
    expect(await backups.databases.collection('auth', 'families').countDocuments()).toBe(0);
    const account = await backups.databases.collection('auth', 'accounts').findOne();
    expect(account).not.toHaveProperty('recovery');
    const over = new Date(0);
    expect(account).toMatchObject({
      pending_email: { until: over },
      addresses_expire_at: over,
      initial_password_until: over,
    });
    const [first, second] = await backups.members.find().sort({ _id: 1 }).toArray();
    expect(first).toMatchObject({ membership: { ...paid, expires_at } });
    expect(first).not.toHaveProperty('push_subscriptions');
    expect(second).toMatchObject({ membership: { autorenew: false } });
  });
});
