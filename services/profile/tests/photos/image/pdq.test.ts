import { drawing, type Drawing } from '@covalence/testing/drawings';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import sharp, { type Sharp } from 'sharp';
import { hashedEdge, pdqOf, recognizableBy } from '../../../src/photos/image/pdq.ts';
import { renderPhoto } from '../../../src/photos/image/render-photo.ts';
import { createSimilarHashes } from '../../../src/photos/image/similar-hashes.ts';

interface Expected {
  readonly width: number;
  readonly height: number;
  readonly shapes: number;
  readonly quality: number;
  readonly hashes: readonly string[];
}

const expected = JSON.parse(
  readFileSync(new URL('./pdq-expected.json', import.meta.url), 'utf8'),
) as Expected[];

const bytesOf = (hash = '') => Buffer.from(hash, 'hex');
const hex = (hashes: readonly Uint8Array[]) => hashes.map((hash) => Buffer.from(hash).toString('hex'));

const distance = (one: Uint8Array, other: Uint8Array) =>
  one.reduce((bits, byte, at) => {
    const different = (byte ^ (other[at] ?? 0)).toString(2);
    return bits + different.replaceAll('0', '').length;
  }, 0);

const opened = ({ data, width, height, channels }: Drawing) =>
  sharp(data, { raw: { width, height, channels } });

/** The hashes of an upload. */
const uploaded = async (image: Sharp) => (await renderPhoto(await image.png().toBuffer(), 'png')).hashes;

describe('a photo hash', () => {
  const cases = expected.map((each, seed) => ({ ...each, seed }));

  it.each(cases.filter(({ width, height }) => width === hashedEdge && height === hashedEdge))(
    'is the one of Meta’s implementation, with its rotations and mirror images: $shapes shapes',
    ({ seed, width, height, shapes, quality, hashes }) => {
      const { data, channels } = drawing(seed, width, height, shapes);
      const actual = pdqOf(data, channels);
      expect(actual.quality).toBe(quality);
      expect(hex(actual.hashes)[0]).toBe(hashes[0]);
      expect(hex(actual.hashes).toSorted()).toEqual(hashes.toSorted());
    },
  );

  it.each(cases.filter(({ width, height }) => width !== height))(
    'differs in a few bits from the one of the whole photo: $width x $height',
    async ({ seed, width, height, shapes, hashes }) => {
      const [actual = new Uint8Array()] = await uploaded(opened(drawing(seed, width, height, shapes)));
      expect(distance(actual, bytesOf(hashes[0]))).toBeLessThanOrEqual(10);
    },
  );

  it('has no quality where there is nothing to see', () => {
    expect(pdqOf(Buffer.alloc(hashedEdge * hashedEdge * 3, 90), 3).quality).toBe(0);
  });
});

/** A list of one hash for each photo. */
function listOf(photos: readonly (readonly Uint8Array[])[]) {
  const list = createSimilarHashes<number>();
  for (const [index, [hash]] of photos.entries()) if (hash) list.add(index, hash);
  return list;
}

type Copies = Readonly<Record<string, (image: Sharp) => Sharp>>;

const frequentCopies: Copies = {
  'encoded at quality 60': (image) => image.jpeg({ quality: 60 }),
  'half as large': (image) => image.resize({ width: 180 }),
  'half as large, mirrored, at quality 60': (image) =>
    image.resize({ width: 180 }).flop().jpeg({ quality: 60 }),
};

const otherCopies: Copies = {
  'encoded at quality 80': (image) => image.jpeg({ quality: 80 }),
  'encoded at quality 95': (image) => image.jpeg({ quality: 95 }),
  'twice as large': (image) => image.resize({ width: 720 }),
  'upside down': (image) => image.flip(),
  'rotated by 90 degrees': (image) => image.rotate(90),
  'rotated by 180 degrees': (image) => image.rotate(180),
  'rotated by 270 degrees': (image) => image.rotate(270),
  'stretched by a tenth': (image) => image.resize({ width: 396, height: 240, fit: 'fill' }),
  'in gray': (image) => image.grayscale(),
};

describe('a copy of a photo', () => {
  const photos = Array.from({ length: 100 }, (_, index) => drawing(100 + index, 360, 240, 90));
  let list: ReturnType<typeof listOf>;
  beforeAll(async () => {
    list = listOf(await Promise.all(photos.map((photo) => uploaded(opened(photo)))));
  });
  /** Of some photos, those whose copy is found, and nothing else with it. */
  const foundOf = async (some: readonly Drawing[], copy: Copies[string]) => {
    const isFound = await Promise.all(
      some.map(async (photo) => {
        const bytes = await copy?.(opened(photo).png()).toBuffer();
        return isDeepStrictEqual(list.find(await uploaded(sharp(bytes))), [photos.indexOf(photo)]);
      }),
    );
    return some.filter((_photo, index) => isFound[index]);
  };

  it.each(Object.entries(frequentCopies))('%s is found among 100 others in 99 %', async (_kind, copy) => {
    expect((await foundOf(photos, copy)).length / photos.length).toBeGreaterThanOrEqual(0.99);
  });

  it.each(Object.entries(otherCopies))('%s is found among the others', async (_kind, copy) => {
    const some = photos.slice(0, 12);
    expect(await foundOf(some, copy)).toHaveLength(some.length);
  });

  it('is not sought where the photo has little to see', async () => {
    expect(await uploaded(opened(drawing(6, 300, 300, 1)))).toEqual([]);
  });
});

describe('a list of photo hashes', () => {
  let photos: (readonly Uint8Array[])[];
  beforeAll(async () => {
    photos = [];
    for (let seed = 1_000; photos.length < 450; seed += 1) {
      const { data, info } = await opened(drawing(seed, 80, 80, 60))
        .resize(hashedEdge, hashedEdge)
        .raw()
        .toBuffer({ resolveWithObject: true });
      const hashes = recognizableBy(data, info.channels);
      if (hashes.length) photos.push(hashes);
    }
  });

  it('takes none of 450 photos for another, in 101,025 pairs with every mirror image', () => {
    const list = listOf(photos);
    expect(photos.map((hashes) => list.find(hashes))).toEqual(photos.map((_, index) => [index]));
  });

  it('finds a hash that differs in 31 bits, wherever they are, and none that differs in 32', () => {
    const list = listOf(photos);
    const [hash = new Uint8Array()] = photos[7] ?? [];
    // A step that has no factor in common with 256 reaches different bits each time.
    for (let step = 1; step < 256; step += 2) {
      const changed = Uint8Array.from(hash);
      const flip = (count: number) => {
        const bit = (count * step) % 256;
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      };
      for (let count = 0; count < 31; count += 1) flip(count);
      expect(list.find([changed])).toEqual([7]);
      flip(31);
      expect(list.find([changed])).toEqual([]);
    }
  });
});
