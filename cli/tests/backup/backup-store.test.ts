import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createBackupStore, type BackupStore } from '@covalence/cli/backup/backup-store';
import { createSealing } from '@covalence/cli/backup/sealing';
import { createDisk } from '@covalence/profile/photos/photo-storage-store';
import { linkSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import S3rver from 's3rver';
import { z } from 'zod';

const bucket = 'backups';
const many = 20;

let folder: string;
let server: S3rver;
const stores = new Map<string, BackupStore>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'covalence-backups-'));
  server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: join(folder, 's3'),
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const { port } = await server.run();
  const key = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
  const s3 = { bucket, region: 'us-east-1', endpoint: `http://127.0.0.1:${port}`, ...key };
  const sealing = createSealing([], []);
  stores.set(
    'a folder',
    createBackupStore(createDisk({ folder: join(folder, 'files') }), sealing, join(folder, 'files')),
  );
  stores.set('a bucket', createBackupStore(createDisk({ s3 }), sealing));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(['a folder', 'a bucket'])('%s', (kind) => {
  const store = (): BackupStore => {
    const found = stores.get(kind);
    if (!found) throw new Error(`no store ${kind}`);
    return found;
  };

  it('keeps files, lists them by folder, and deletes them', async () => {
    const at = store();
    expect(await at.files('photos')).toEqual([]);
    const stored = await at.write('20261127T030000000Z/profile.members.000001', Buffer.from('documents'));
    await at.writeJson('photos-gone.json', { 'one.jpg': 'x' });
    for (let index = 0; index < many; index += 1) await at.write(`photos/${index}.jpg`, Buffer.from('x'));
    expect(Buffer.from(await at.read(stored)).toString()).toBe('documents');
    expect(await at.files('photos')).toHaveLength(many);
    expect((await at.folders()).toSorted()).toEqual(['20261127T030000000Z', 'photos']);
    expect(await at.readJson('photos-gone.json', z.unknown())).toEqual({ 'one.jpg': 'x' });
    await at.remove('photos/7.jpg');
    expect([await at.has('photos/7.jpg'), await at.has('photos/8.jpg')]).toEqual([false, true]);
    await at.removeFolder('20261127T030000000Z');
    expect(await at.folders()).toEqual(['photos']);
    await expect(at.read(stored)).rejects.toThrow('000001');
    const other = await at.write('other', Buffer.from('one'));
    await at.write('other', Buffer.from('two'));
    await expect(at.check(other)).rejects.toThrow('other is not what was stored');
  });
});

it('replaces a file of a folder as a whole, so that none is ever half', async () => {
  const store = createBackupStore(createDisk({ folder }), createSealing([], []), folder);
  await store.write('photos/one', Buffer.from('one'));
  linkSync(join(folder, 'photos/one'), join(folder, 'linked'));
  await store.write('photos/one', Buffer.from('two'));
  expect(gunzipSync(readFileSync(join(folder, 'linked'))).toString()).toBe('one');
  expect(await store.folders()).not.toContain('unfinished');
});
