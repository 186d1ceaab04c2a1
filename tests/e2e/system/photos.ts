import { request as httpRequest } from 'node:http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { System } from '../support/system.ts';
import { until } from '@covalence/testing/until';
import request from 'supertest';
import sharp from 'sharp';
import { as, male, registerMember, type TestMember } from '../support/members.ts';
import { invalid } from '../support/refusals.ts';
import { openSocket } from '../support/socket.ts';

const megabyte = 1024 * 1024;

interface Entry {
  readonly id: number;
  readonly urlstem: string;
  readonly extension: string;
  readonly max800: string;
}

/** The status of an upload that only announces its length: the answer must not wait for the body. */
function announce(base: string, member: TestMember, bytes: number): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const headers = {
    Authorization: `Bearer ${member.tokens.access_token}`,
    'Content-Type': 'multipart/form-data; boundary=announced',
    'Content-Length': bytes,
  };
  const call = httpRequest(new URL('/photo', base), { method: 'POST', headers }, (answer) => {
    resolve(answer.statusCode);
    call.destroy();
  });
  call.on('error', reject);
  call.flushHeaders();
  return promise;
}

/** Photos, from the upload to the file. */
export function photoCases(system: () => System): void {
  describe('photos, through the gateway only', () => {
    let stack: System;
    let nora: TestMember;
    let tom: TestMember;
    let image: Buffer;

    const upload = (member: TestMember, content: Buffer, name = 'me.jpg') =>
      request(stack.url)
        .post('/photo')
        .set('Authorization', `Bearer ${member.tokens.access_token}`)
        .field('caption', 'Me')
        .attach('image', content, name);

    beforeAll(async () => {
      stack = system();
      nora = await registerMember(stack.url, stack.demo);
      tom = await registerMember(stack.url, stack.demo, male);
      image = await sharp({ create: { width: 1800, height: 1200, channels: 3, background: '#306090' } })
        .jpeg()
        .toBuffer();
    });

    it('uploads: notifies the member, shows the photo to others, and finds it in searches', async () => {
      const socket = await openSocket(stack.url, nora.tokens.access_token);
      const { body } = await upload(nora, image).expect(200);
      const told = await socket.next('photo');
      expect(told.data).toEqual({ photoid: body.id, status: 'approved', primary: true });
      socket.close();

      const seen = await as(stack.url, tom).get(`/users/${nora.id}`).expect(200);
      const { urlstem, max800, extension } = seen.body.photo as Entry;
      const { body: content } = await request(`${urlstem}${max800}${extension}`)
        .get('')
        .expect(200)
        .buffer(true);
      expect(await sharp(content as Buffer).metadata()).toMatchObject({
        width: 800,
        height: 533,
        format: 'jpeg',
      });

      await until('nora in a search for photos', async () => {
        const { body: found } = await as(stack.url, tom).post('/searches', {
          age: { from: 18, to: 99 },
          photo: { value: true },
        });
        return (found.users as { id: number; exactmatch: boolean; photo_count: number }[]).find(
          ({ id, photo_count }) => id === nora.id && photo_count === 1,
        );
      });
    });

    it('lists, chooses, orders and deletes', async () => {
      const second = (await upload(nora, image).expect(200)).body as Entry;
      const third = (await upload(nora, image).expect(200)).body as Entry;
      const { get, post, delete: remove } = as(stack.url, nora);
      const list = (await get('/photo').expect(200)).body as Entry[];
      expect(list.map(({ id }) => id).slice(1)).toEqual([second.id, third.id]);
      await post('/photo/primary', { photoid: third.id }).expect(200);
      const ordered = await post('/updatephotoorder', { photoids: `${second.id},${third.id}` }).expect(200);
      expect(ordered.body.photos).toEqual((await get('/photo')).body);
      expect(ordered.body.photos.map(({ id }: Entry) => id)).toEqual([third.id, second.id, list[0]?.id]);
      await remove(`/photo/${third.id}`).expect(200, {});
      await remove(`/photo?photoid=${second.id}`).expect(200, {});
      await request(`${third.urlstem}${third.max800}${third.extension}`).get('').expect(404);
    });

    it('answers every failure code of photos', async () => {
      const { post, delete: remove } = as(stack.url, nora);
      await post('/photo').expect(403, invalid(11201));
      await post('/photo', { imageurl: 'http://169.254.169.254/latest/' }).expect(403, invalid(11201));
      await post('/photo', { imageurl: `${stack.url}/jwks` }).expect(403, invalid(11201));
      await post('/photo', { imageurl: 'http://name.invalid/a.jpg' }).expect(403, invalid(11204));
      await post('/photo', { imageurl: 'http://x.test/', image: 'x' }).expect(403, invalid(11202));
      await upload(nora, image.subarray(0, 900)).expect(403, invalid(11204));
      await upload(nora, Buffer.alloc(6 * megabyte, image)).expect(403, invalid(11205));
      await upload(nora, Buffer.alloc(15 * megabyte, 'x'), 'me.txt').expect(403, invalid(11205));
      await upload(nora, Buffer.from('<svg/>')).expect(403, invalid(11206));
      await expect(announce(stack.url, nora, 17 * megabyte)).resolves.toBe(413);
      await remove('/photo').expect(403, invalid(11301));
      await remove('/photo/x').expect(403, invalid(11302));
      await as(stack.url, tom).delete('/photo/1').expect(403, invalid(11303));
      await post('/updatephotoorder').expect(403, invalid());
      expect((await request(stack.url).post('/photo')).status).toBe(401);
    });

    it('stops at the limit of the site, 20', async () => {
      const small = await sharp(image).resize(64).jpeg().toBuffer();
      for (let count = 0; count < 20; count += 1) await upload(tom, small).expect(200);
      expect((await upload(tom, small).expect(403)).body).toEqual(invalid(11203));
    });
  });
}
