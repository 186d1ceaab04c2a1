import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, get, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import S3rver from 's3rver';
import sharp from 'sharp';
import { withPhoto } from '../../src/photos/photo-list.ts';
import { createPhotoStorage, type PhotoStorage } from '../../src/photos/photo-storage-store.ts';
import { jpegOf } from '../support/images.ts';
import { startService, type TestMember, type ServiceUnderTest } from '../harness.ts';

const bucket = 'photos';
const key = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Runs `use` with a storage whose store answers as `listener` does. */
const withStore = async (
  listener: RequestListener,
  use: (storage: PhotoStorage) => Promise<void>,
): Promise<void> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const place = { bucket, region: 'us-east-1', endpoint: addressOf(server), ...key };
  await use(createPhotoStorage({ s3: { ...place, silenceMs: 100 } }));
  server.closeAllConnections();
  server.close();
};

describe('photos in an S3-compatible store', () => {
  let folder: string;
  let store: S3rver;
  let endpoint: string;
  let service: ServiceUnderTest;
  let member: TestMember;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'photos-s3-'));
    store = new S3rver({
      port: 0,
      address: '127.0.0.1',
      silent: true,
      directory: folder,
      configureBuckets: [{ name: bucket, configs: [] }],
    });
    const { port } = await store.run();
    endpoint = `http://127.0.0.1:${port}`;
    service = await startService('photo-s3', {
      environment: {
        PHOTO_S3_BUCKET: bucket,
        PHOTO_S3_ENDPOINT: endpoint,
        PHOTO_S3_ACCESS_KEY_ID: key.accessKeyId,
        PHOTO_S3_SECRET_ACCESS_KEY: key.secretAccessKey,
      },
    });
    member = await service.register();
  });
  afterAll(async () => {
    await service.close();
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('are written, served under a public name and removed', async () => {
    const { body } = await member.upload(await jpegOf(1200, 1100)).expect(200);
    const path = (name: string) => new URL(`${body.urlstem}${body[name]}${body.extension}`).pathname;
    const answer = await request(service.app).get(path('square1000')).expect(200).buffer(true);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=3600',
      'x-content-type-options': 'nosniff',
    });
    expect(await sharp(answer.body as Buffer).metadata()).toMatchObject({ width: 1000, height: 1000 });
    await member.delete(`/photo/${body.id}`).expect(200);
    await request(service.app).get(path('square1000')).expect(404);
  });

  it('are read for viewers who may see private ones', async () => {
    const { body } = await member.upload(await jpegOf(900, 900), 'me.jpg', { private: 'true' }).expect(200);
    const path = new URL(`${body.urlstem}${body.square500}${body.extension}`).pathname;
    expect(path).toMatch(/^\/photos\/private\//);
    const answer = await request(service.app).get(path).expect(200).buffer(true);
    expect(answer.headers['cache-control']).toBe('private, no-cache');
    expect(await sharp(answer.body as Buffer).metadata()).toMatchObject({ width: 500, height: 500 });
    await request(service.app)
      .get(path)
      .set('If-None-Match', answer.headers['etag'] ?? '')
      .expect(304);
    await member.delete(`/photo/${body.id}`).expect(200);
    await request(service.app).get(path).expect(404);
  });

  it('answer 404 for invalid names', async () => {
    const { status } = await request(service.app).get('/photos/no-such-photo-anywhere_800.jpg');
    expect(status).toBe(404);
    await request(service.app).get('/photos/..%2f..%2fetc_800.jpg').expect(404);
  });

  const named = { stem: 'a-stem-that-is-long-enough', extension: '.jpg' };
  const files = [{ size: 800, bytes: Buffer.from('x') }];

  it('answer 503, not 404, while the store fails', () =>
    withStore(
      ({ method }, response) => void response.writeHead(method === 'HEAD' ? 200 : 503).end(),
      async (storage) => {
        await expect(storage.read(`${named.stem}_800.jpg`)).rejects.toMatchObject({ status: 503 });
      },
    ));

  it('answer 503 while the store does not respond', () =>
    withStore(
      () => undefined,
      async (storage) => {
        await expect(storage.read(`${named.stem}_800.jpg`)).rejects.toMatchObject({ status: 503 });
        await expect(storage.put(named, files)).rejects.toMatchObject({ status: 503 });
        await expect(storage.remove({ ...named, sizes: [800] })).rejects.toMatchObject({ status: 503 });
      },
    ));

  it('answer 503 while the store refuses', async () => {
    const wrong = createPhotoStorage({
      s3: { bucket: 'no-such-bucket', region: 'us-east-1', endpoint, ...key },
    });
    await expect(wrong.put(named, files)).rejects.toMatchObject({ status: 503 });
  });
});

it('free the connection to the store when the client disconnects', async () => {
  const answers: ServerResponse[] = [];
  const store = createServer((_request, response) => void answers.push(response)).listen(0, '127.0.0.1');
  await once(store, 'listening');
  const service = await startService('photo-s3-left', {
    environment: {
      PHOTO_S3_BUCKET: bucket,
      PHOTO_S3_ENDPOINT: addressOf(store),
      PHOTO_S3_ACCESS_KEY_ID: key.accessKeyId,
      PHOTO_S3_SECRET_ACCESS_KEY: key.secretAccessKey,
    },
  });
  const failed = jest.spyOn(service.context.logger, 'error');
  const member = await service.register();
  const photo = { id: 1, stem: 'a-stem-that-is-long-enough', extension: '.jpg', sizes: [800] };
  const after = await service.context.members.store.change(member.id, ({ photos }) => ({
    photos: withPhoto(photos, { ...photo, status: 'approved', added_at: new Date() }),
  }));
  const server = service.app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  let open = 0;
  server.on('connection', (socket) => {
    open += 1;
    socket.once('close', () => (open -= 1));
  });
  const call = get(`${addressOf(server)}/photos/${after?.public_photos?.[0]?.name}_800.jpg`);
  call.once('error', () => undefined);
  const answer = await until('the store is asked', () => answers[0]);
  call.destroy();
  await until('the service knows', () => !open);
  answer.writeHead(200, { 'Content-Length': 1_000_000 }).write('the first bytes');
  await until('the connection is given up', () => answer.closed, 5_000);
  expect(failed).not.toHaveBeenCalled();
  server.close();
  await service.close();
  store.close();
});
