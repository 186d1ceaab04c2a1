import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import type { Photo } from '../../src/members/document/member.ts';
import { withStatus } from '../../src/photos/photo-list.ts';
import { purgeLeftPhotos } from '../../src/photos/purge-photos.ts';
import { jpegOf } from '../support/images.ts';
import { startService, type TestMember, type ServiceUnderTest } from '../harness.ts';

let service: ServiceUnderTest;
let image: Buffer;
beforeAll(async () => {
  service = await startService('left-photos');
  image = await jpegOf(300, 300);
});
afterAll(() => service.close());

const files = async () => (await readdir(service.photoDir)).toSorted();
const filesOf = ({ stem, sizes }: Photo) => sizes.map((size) => `${stem}_${size}.jpg`).toSorted();

/** Uploads a photo, and answers it as it is stored. */
const upload = async (member: TestMember): Promise<Photo> => {
  const { body } = await member.upload(image).expect(200);
  const stored = (await service.context.members.store.byId(member.id))?.photos.find(
    ({ id }) => id === body.id,
  );
  assert(stored);
  return stored;
};

describe('abandoned photo files', () => {
  it('of deleted photos are purged; a failure does not affect others', async () => {
    const { context } = service;
    const staff = await service.staff();
    const members = [await service.register(), await service.register()];
    for (const member of members) {
      const { id } = await upload(member);
      // As a process leaves it that dies between the document and the files.
      await context.members.store.change(member.id, ({ photos }) => ({
        photos: withStatus(photos, id, 'deleted'),
      }));
      expect((await member.get('/photo')).body).toEqual([]);
      // Nor can staff bring back what its member deleted.
      for (const decision of ['approve', 'reject'])
        await staff.post(`/staff/photos/${id}/${decision}`, { reason: 'No' }).expect(404);
    }
    const away = jest.spyOn(context.photos.storage, 'remove').mockRejectedValueOnce(new Error('no answer'));
    await purgeLeftPhotos(context);
    away.mockRestore();
    expect(await files()).toHaveLength(4);
    await purgeLeftPhotos(context);
    expect(await files()).toEqual([]);
    for (const { id } of members) expect((await context.members.store.byId(id))?.photos).toEqual([]);
  });

  it('are purged after an hour where no member has the photo', async () => {
    const { context } = service;
    const member = await service.register();
    const ended = jest
      .spyOn(context.members.store, 'change')
      .mockRejectedValueOnce(new Error('the process ends here'));
    await member.upload(image).expect(500);
    ended.mockRestore();
    const photo = await upload(member);
    // As if this process had ended behind the member's write.
    await context.photos.uploads.begin(photo, context.clock());
    await purgeLeftPhotos(context);
    expect(await files()).toHaveLength(2 * photo.sizes.length);

    service.advance(61 * 60_000);
    await purgeLeftPhotos(context);
    expect(await files()).toEqual(filesOf(photo));
    await expect(context.photos.uploads.begunBefore(context.clock(), 10)).resolves.toEqual([]);
    await member.delete(`/photo/${photo.id}`).expect(200);
    expect(await files()).toEqual([]);
  });
});
