import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import sharp from 'sharp';
import { createImagePool } from '../../src/photos/image/image-pool.ts';
import {
  bmpBomb,
  bmpOf,
  endlessIcon,
  gifBomb,
  iconImage,
  iconOf,
  jpegOf,
  paletteBmpOf,
  picture,
  pixels,
  pngBomb,
  runLengthBmp,
} from '../support/images.ts';
import { startService, type TestMember, type ServiceUnderTest } from '../harness.ts';

const megabyte = 1024 * 1024;

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService('photo-upload', { environment: { PHOTO_THREADS: '2' } });
});
afterAll(() => service.close());

interface Entry {
  readonly id: number;
  readonly urlstem: string;
  readonly extension: string;
  readonly [suffix: string]: unknown;
}

const file = (entry: Entry, name: string) =>
  request(service.app)
    .get(new URL(`${entry.urlstem}${String(entry[name])}${entry.extension}`).pathname)
    .buffer(true);

const sizeOf = async (entry: Entry, name: string) => {
  const { body } = await file(entry, name).expect(200).expect('Content-Type', 'image/jpeg');
  const { width, height, format, exif, icc, xmp } = await sharp(body as Buffer).metadata();
  expect([format, exif, icc, xmp]).toEqual(['jpeg', undefined, undefined, undefined]);
  return [width, height];
};

/** A JPG of that many bytes. */
const padded = async (length: number) => {
  const image = await jpegOf(320, 240);
  return Buffer.concat([image, Buffer.alloc(length - image.length)]);
};

/** The color of one pixel. */
const corner = async (bytes: Buffer, left: number, top: number) => [
  ...(await sharp(bytes).extract({ left, top, width: 1, height: 1 }).raw().toBuffer()),
];

describe('POST /photo', () => {
  let member: TestMember;
  beforeAll(async () => {
    member = await service.register();
  });

  it('answers the photo with its five sizes', async () => {
    const { body } = await member.upload(await jpegOf(2400, 1800), 'x.jpg', { caption: 'By the lake' });
    expect(body).toMatchObject({
      max1600: '_1600',
      max800: '_800',
      square1000: '_1000',
      square500: '_500',
      square250: '_250',
      extension: '.jpg',
      caption: 'By the lake',
      width: 2400,
      height: 1800,
      color: expect.stringMatching(/^#[\da-f]{6}$/),
      blurhash: expect.stringMatching(/^.{20,}$/),
      photo_pending: false,
      photo_primary: true,
    });
    expect(await sizeOf(body, 'max1600')).toEqual([1600, 1200]);
    expect(await sizeOf(body, 'max800')).toEqual([800, 600]);
    expect(await sizeOf(body, 'square1000')).toEqual([1000, 1000]);
    expect(await sizeOf(body, 'square500')).toEqual([500, 500]);
    expect(await sizeOf(body, 'square250')).toEqual([250, 250]);
    const { headers } = await file(body, 'max800');
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=3600',
      'x-content-type-options': 'nosniff',
    });
    const { body: record } = await member.get('/users/self').expect(200);
    expect(record).toMatchObject({ photo_count: 1, photo_primary: true, photo: { id: body.id } });
    const { body: list } = await member.get('/photo').expect(200);
    expect(list).toEqual([body]);
  });

  it.each([
    [900, 600, ['_1600', '_800', '_400', '_500', '_250'], [900, 600], [400, 267], [500, 500]],
    [200, 180, ['_1600', '_800', '_400', '_400', '_150'], [200, 180], [200, 180], [200, 180]],
  ])(
    '%i x %i: other files stand in for what is too large',
    async (width, height, suffixes, max, s1000, s500) => {
      const { body } = await member.upload(await jpegOf(width, height)).expect(200);
      const names = ['max1600', 'max800', 'square1000', 'square500', 'square250'];
      expect(names.map((name) => body[name])).toEqual(suffixes);
      expect(await sizeOf(body, 'max1600')).toEqual(max);
      expect(await sizeOf(body, 'square1000')).toEqual(s1000);
      expect(await sizeOf(body, 'square500')).toEqual(s500);
      const small = await sizeOf(body, 'square250');
      expect(small[0]).toBe(small[1]);
    },
  );
});

describe('types are detected by content, not by name', () => {
  let member: TestMember;
  beforeAll(async () => {
    member = await service.register();
  });
  const good: [string, () => Buffer | Promise<Buffer>, number, number][] = [
    ['JPG', () => jpegOf(320, 240), 320, 240],
    ['PNG', () => picture(320, 240).png().toBuffer(), 320, 240],
    ['GIF', () => picture(320, 240).gif().toBuffer(), 320, 240],
    ['BMP', () => bmpOf(321, 240), 321, 240],
    ['ICO with a BMP', () => iconOf(iconImage(64), 64), 64, 64],
    ['ICO with a PNG', async () => iconOf(await picture(256, 256).png().toBuffer(), 256), 256, 256],
    ['ICO with one image 60,000 times', () => iconOf(iconImage(32), 32, 60_000), 32, 32],
    ['CMYK', () => picture(320, 240).toColourspace('cmyk').jpeg().toBuffer(), 320, 240],
    ['progressive', () => picture(320, 240).jpeg({ progressive: true }).toBuffer(), 320, 240],
    ['grey', () => picture(320, 240).greyscale().jpeg().toBuffer(), 320, 240],
    ['16 bit', () => picture(320, 240).toColourspace('rgb16').png().toBuffer(), 320, 240],
    ['palette', () => picture(320, 240).png({ palette: true }).toBuffer(), 320, 240],
    [
      'animated',
      () =>
        sharp(pixels(100, 300), { raw: { width: 100, height: 300, channels: 3, pageHeight: 100 } })
          .gif()
          .toBuffer(),
      100,
      100,
    ],
    ['EXIF-rotated', () => picture(320, 240).withMetadata({ orientation: 6 }).jpeg().toBuffer(), 240, 320],
    [
      'polyglot: JPG and HTML',
      async () => Buffer.concat([await jpegOf(320, 240), Buffer.from('<script>alert(1)</script>')]),
      320,
      240,
    ],
    ['5 MiB', () => padded(5 * megabyte), 320, 240],
    ['one pixel', () => picture(1, 1).png().toBuffer(), 1, 1],
    ['a line', () => picture(9000, 1).png().toBuffer(), 9000, 1],
  ];
  it.each(good)('%s', async (_type, make, width, height) => {
    const { body } = await member.upload(await make(), 'wrong.txt').expect(200);
    expect(body).toMatchObject({ width, height });
    const { body: content } = await file(body, 'max1600').expect(200);
    expect((content as Buffer).includes('<script>')).toBe(false);
    await member.delete(`/photo/${body.id}`).expect(200, {});
  });

  it('keeps colors and the upright orientation', async () => {
    for (const image of [
      bmpOf(320, 240),
      paletteBmpOf(320, 240),
      iconOf(iconImage(128), 128),
      await picture(320, 240).png().toBuffer(),
    ]) {
      const { body } = await member.upload(image).expect(200);
      const { body: content } = await file(body, 'max800').expect(200);
      const isIcon = body.width === 128;
      const [red = 0, green = 0, blue = 0] = await corner(
        content,
        body.width - 3,
        isIcon ? body.height - 3 : 2,
      );
      // A BMP in an icon lies on its head and has blue first.
      expect([red > 100, green < 40, Math.abs(blue - 128) < 12]).toEqual(
        isIcon ? [true, true, false] : [true, true, true],
      );
      await member.delete(`/photo/${body.id}`).expect(200);
    }
    const rotated = await picture(320, 240).withMetadata({ orientation: 3 }).jpeg().toBuffer();
    const { body } = await member.upload(rotated).expect(200);
    const { body: content } = await file(body, 'max800').expect(200);
    const [red = 0, green = 0] = await corner(content, 3, 3);
    expect([red > 200, green > 200]).toEqual([true, true]);
  });
});

describe('refused uploads', () => {
  let member: TestMember;
  beforeAll(async () => {
    member = await service.register();
  });
  const refused: [string, () => Buffer | Promise<Buffer>, number][] = [
    ['a truncated JPG', async () => (await jpegOf(800, 600)).subarray(0, 3000), 11204],
    ['a truncated PNG', async () => (await picture(800, 600).png().toBuffer()).subarray(0, 3000), 11204],
    ['a truncated GIF', async () => (await picture(800, 600).gif().toBuffer()).subarray(0, 900), 11204],
    ['a truncated BMP', () => bmpOf(64, 64).subarray(0, 3000), 11204],
    ['a truncated icon', () => iconOf(iconImage(64), 64).subarray(0, 3000), 11204],
    ['an icon without images', () => Buffer.from([0, 0, 1, 0, 0, 0]), 11204],
    ['an icon that claims images', () => Buffer.from([0, 0, 1, 0, 255, 255]), 11204],
    ['an icon whose PNG is a bomb', () => iconOf(pngBomb(20_000, 20_000, 100), 256), 11204],
    ['an icon larger than icons are', () => iconOf(iconImage(300), 256), 11204],
    ['an icon without columns', endlessIcon, 11204],
    ['a PNG bomb', () => pngBomb(12_000, 12_000), 11204],
    ['a PNG of huge dimensions', () => pngBomb(2 ** 30, 2 ** 30, 0), 11204],
    ['a long PNG', () => pngBomb(1, 400_000), 11204],
    ['a BMP of huge dimensions', () => bmpBomb(2 ** 31 - 1, 2 ** 31 - 1), 11204],
    ['a BMP of run lengths', runLengthBmp, 11204],
    ['a BMP without pixels', () => bmpBomb(0, 0), 11204],
    ['a GIF of huge dimensions', () => gifBomb(), 11204],
    ['only the first bytes of a JPG', () => Buffer.from('ffd8ffe0', 'hex'), 11204],
    ['a JPG of noise', () => Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(9000, 7)]), 11204],
    ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), 11206],
    ['an SVG named jpg', () => Buffer.from('<?xml version="1.0"?><svg width="9" height="9"/>'), 11206],
    ['a WebP', () => picture(64, 64).webp().toBuffer(), 11206],
    ['a TIFF', () => picture(64, 64).tiff().toBuffer(), 11206],
    ['an AVIF', () => picture(64, 64).avif().toBuffer(), 11206],
    ['a PDF', () => Buffer.from('%PDF-1.7\n'), 11206],
    ['a text', () => Buffer.from('hello'), 11206],
    ['one byte more than 5 MiB', () => padded(5 * megabyte + 1), 11205],
    ['a large JPG', () => Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(5 * megabyte)]), 11205],
    ['a large text', () => Buffer.alloc(15 * megabyte, 'x'), 11205],
    ['an empty file', () => Buffer.alloc(0), 11201],
  ];
  it.each(refused)('%s', async (_case, make, failcode) => {
    const { status, body } = await member.upload(await make());
    expect([status, body]).toEqual([403, { fail: 'Invalid Argument', failcode: [failcode] }]);
  });

  it.each([
    ['nothing', {}, [11201]],
    ['an empty address', { imageurl: '' }, [11201]],
    ['a text as image', { image: 'abc' }, [11206]],
    ['both', { image: 'abc', imageurl: 'http://x.test/a.jpg' }, [11202]],
  ])('%s', async (_case, fields, failcode) => {
    const { status, body } = await member.post('/photo', fields);
    expect([status, body]).toEqual([403, { fail: 'Invalid Argument', failcode }]);
  });

  it('image and address together, and a long caption', async () => {
    const image = await jpegOf(9, 9);
    const both = await member.upload(image, 'a.jpg', { imageurl: 'http://x.test/a.jpg' }).expect(403);
    expect(both.body).toEqual({ fail: 'Invalid Argument', failcode: [11202] });
    const long = await member.upload(image, 'a.jpg', { caption: '👋'.repeat(256) }).expect(403);
    expect(long.body).toEqual({ fail: 'Invalid Argument' });
  });

  it('leaves no file and no photo behind', async () => {
    const before = await readdir(service.photoDir);
    await member.upload((await jpegOf(800, 600)).subarray(0, 3000)).expect(403);
    expect(await readdir(service.photoDir)).toEqual(before);
    expect((await member.get('/photo')).body).toEqual([]);
  });

  it('a token is needed', async () => {
    const { status } = await request(service.app)
      .post('/photo')
      .attach('image', await jpegOf(9, 9), 'a.jpg');
    expect(status).toBe(401);
  });
});

describe('image threads', () => {
  it('answer 503 for an image that no thread began in time', async () => {
    // No thread begins within a millisecond.
    const pool = createImagePool({ threads: 1, queue: 1, queuePerMember: 1, limitMs: 1 });
    const late = pool.render(1, { bytes: await jpegOf(9, 9), type: 'jpg' });
    await expect(late).rejects.toMatchObject({ status: 503 });
    await pool.close();
  });
});

describe('the photo limit (11203)', () => {
  it('holds for parallel uploads', async () => {
    const member = await service.register({ siteid: 4, dateofbirth: '01/01/1980' });
    const image = await jpegOf(300, 300);
    const before = new Set(await readdir(service.photoDir));
    const answers = await Promise.all(Array.from({ length: 8 }, () => member.upload(image)));
    const statuses = answers.map(({ status, body }) => (status === 200 ? 200 : body.failcode));
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    expect(statuses.filter((status) => status !== 200)).toEqual(Array.from({ length: 5 }, () => [11203]));
    const { body: list } = await member.get('/photo').expect(200);
    expect(list).toHaveLength(3);
    const stored = await service.context.members.store.byId(member.id);
    const added = (await readdir(service.photoDir)).filter((name) => !before.has(name));
    expect(new Set(added.map((name) => name.slice(0, name.lastIndexOf('_'))))).toEqual(
      new Set(stored?.photos.map(({ stem }) => stem)),
    );
    await member.upload(image).expect(403, { fail: 'Invalid Argument', failcode: [11203] });
    await member.delete(`/photo/${list[0].id}`).expect(200);
    await member.upload(image).expect(200);
  });
});

describe('storage that is down', () => {
  it('is 503, and no photo appears', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'photos-away-'));
    const inTheWay = join(folder, 'file');
    await writeFile(inTheWay, '');
    const away = await startService('photo-away', { environment: { PHOTO_DIR: join(inTheWay, 'photos') } });
    const member = await away.register();
    const answer = await member.upload(await jpegOf(30, 30)).expect(503);
    expect(answer.headers['retry-after']).toBeDefined();
    expect((await member.get('/photo')).body).toEqual([]);
    expect((await readFile(inTheWay)).length).toBe(0);
    await away.close();
    await rm(folder, { recursive: true });
  });
});

describe('GET /photos/{file}', () => {
  const name = 'a-name-nobody-can-guess_250.jpg';

  it('does not serve a file by the name that it is stored under', async () => {
    await writeFile(join(service.photoDir, name), 'a photo of nobody');
    await writeFile(join(service.photoDir, 'secret.txt'), 'no photo');
    const { status } = await request(service.app).get(`/photos/${name}`);
    expect(status).toBe(404);
  });

  it.each([
    'secret.txt',
    'another-name-nobody-has_250.jpg',
    '..%2f..%2fetc%2fpasswd',
    `..%2f${name}`,
    `%2e%2e/${name}`,
    `${name}%00`,
    '%E0%A4%A',
  ])('does not serve %s', async (file) => {
    const { status, body } = await request(service.app).get(`/photos/${file}`);
    expect([400, 404]).toContain(status);
    expect(body.fail).toBeDefined();
  });

  it('takes no other method', async () => {
    const { status, headers } = await request(service.app).post(`/photos/${name}`);
    expect({ status, allow: headers['allow'] }).toEqual({ status: 405, allow: 'GET' });
  });
});
