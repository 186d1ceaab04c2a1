import { hashedEdge, recognizableBy } from '@covalence/profile/photos/image/pdq';
import { createSimilarHashes } from '@covalence/profile/photos/image/similar-hashes';
import { drawing } from '@covalence/testing/drawings';
import { randomBytes } from 'node:crypto';
import sharp, { type Sharp } from 'sharp';
import { effort } from './effort.ts';
import { measurement, type Measurement } from './measurement.ts';

const listed = 10_000;
const mostMs = 5;
/** Size of the pixels that the service hashes of a large upload. */
const decoded = { width: 1600, height: 1067 };
const size = { width: 360, height: 240 };
const crops = [1, 2, 3, 5, 10];

const fromPixels = (data: Buffer, { width, height }: typeof size) =>
  sharp(data, { raw: { width, height, channels: 3 } });

/** The hashes of a photo as the service computes them of the decoded upload. */
async function hashesOf(image: Sharp): Promise<readonly Uint8Array[]> {
  const square = { width: hashedEdge, height: hashedEdge, fit: 'fill', kernel: 'linear' } as const;
  const { data, info } = await image.resize(square).raw().toBuffer({ resolveWithObject: true });
  return recognizableBy(data, info.channels);
}

/** A JPEG copy that lacks some percent of each edge, half of it on either side. */
function cropped(image: Sharp, percent: number): Promise<Buffer> {
  const [width, height] = [size.width, size.height].map((edge) => Math.round(edge * (1 - percent / 100)));
  if (width === undefined || height === undefined) throw new Error('an image has two edges');
  const [left, top] = [(size.width - width) >> 1, (size.height - height) >> 1];
  return image.extract({ left, top, width, height }).jpeg({ quality: 80 }).toBuffer();
}

/** Measures how banned photos are recognized: the processor time of an upload for it, and the share of cropped copies. */
export async function benchRecognition(): Promise<readonly Measurement[]> {
  const list = createSimilarHashes<number>();
  const photos = Array.from({ length: effort.originals }, (_, seed) =>
    fromPixels(drawing(100 + seed, size.width, size.height, 90).data, size),
  );
  for (const [index, photo] of photos.entries()) {
    const [hash] = await hashesOf(photo.clone());
    if (hash) list.add(index, hash);
  }
  for (let number = photos.length; number < listed; number += 1) list.add(number, randomBytes(32));

  const uploads = await Promise.all(
    photos.map((photo) =>
      photo
        .clone()
        .resize({ ...decoded, fit: 'fill' })
        .raw()
        .toBuffer(),
    ),
  );
  const begin = process.cpuUsage();
  for (const upload of uploads) list.find(await hashesOf(fromPixels(upload, decoded)));
  const { user, system } = process.cpuUsage(begin);
  const ms = (user + system) / 1_000 / uploads.length;

  const found: Measurement[] = [];
  for (const percent of crops) {
    let count = 0;
    for (const [index, photo] of photos.entries()) {
      const copy = await cropped(photo.clone(), percent);
      if (list.find(await hashesOf(sharp(copy))).includes(index)) count += 1;
    }
    const share = (count / photos.length) * 100;
    found.push(
      measurement(`copies without ${percent} % of each edge that are found, × all`, '%', share, 100),
    );
  }
  return [
    measurement(
      'processor time of hash and look-up, 10,000 banned',
      'ms',
      ms,
      mostMs,
      `at most ${mostMs} ms`,
    ),
    ...found,
  ];
}
