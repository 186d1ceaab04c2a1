import { encode } from 'blurhash';
import sharp, { type Channels, type Metadata, type Sharp } from 'sharp';
import { rasterOfBmp, rasterOfIco, type Raster } from './decode-raster.ts';
import type { ImageType } from './image-type.ts';

/** What is made of an upload. */
export interface RenderedPhoto {
  /** Files by their size (contract, photo-files), all of them JPEG without metadata. */
  readonly files: readonly { readonly size: number; readonly bytes: Uint8Array }[];
  /** Pixels of the upright image as it was uploaded. */
  readonly width: number;
  readonly height: number;
  readonly blurhash: string;
  /** Dominant color, `#rrggbb`. */
  readonly color: string;
}

/** Pixels that libvips decodes at most: cameras have up to 50 million. */
const pixelLimit = 50_000_000;
/** Bytes that a decoded image may take where it cannot be read line by line: PNG (interlaced, 16 bit) and GIF. */
const decodedLimit = 256 * 1024 * 1024;
const longestEdge = 16_383;
const timeLimitSeconds = 15;

// Only these three decoders of libvips are reachable: the others (SVG, PDF, TIFF …) have no business here.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadNsgifBuffer'],
});
sharp.cache(false);
// Images are rendered side by side, each by one thread.
sharp.concurrency(1);

const options = { limitInputPixels: pixelLimit, failOn: 'error', pages: 1 } as const;

const loaders: Record<string, string> = { jpg: 'jpeg', png: 'png', gif: 'gif' };

const fromRaster = (raster: Raster): { image: Sharp; format: string } => {
  if (raster.kind === 'png') return { image: sharp(raster.bytes, options), format: 'png' };
  const { data, width, height } = raster;
  return { image: sharp(data, { ...options, raw: { width, height, channels: 4 } }), format: 'raw' };
};

function open(bytes: Buffer, type: ImageType): { image: Sharp; format: string } {
  if (type === 'bmp') return fromRaster(rasterOfBmp(bytes));
  if (type === 'ico') return fromRaster(rasterOfIco(bytes));
  return { image: sharp(bytes, options), format: loaders[type] ?? type };
}

const sampleBytes: Record<string, number> = { ushort: 2, short: 2, uint: 4, float: 4 };

/** Refuses what would take too much memory before a pixel is decoded. */
function checkSize({ width, height, channels, depth, format }: Metadata, expected: string): void {
  if (format !== expected) throw new Error(`${format} where ${expected} was announced`);
  if (Math.max(width, height) > longestEdge) throw new Error(`an edge over ${longestEdge} pixels`);
  const decoded = width * height * channels * (sampleBytes[depth] ?? 1);
  if (width * height > pixelLimit || (format !== 'jpeg' && decoded > decodedLimit)) {
    throw new Error(`${width}x${height} pixels`);
  }
}

// Baseline: progressive files are a little smaller, but take twice as long to write; blurhash bridges the loading.
const jpeg = { quality: 82 } as const;
const scaledSizes = [1600, 800] as const;
const squareSizes = [1000, 500, 250] as const;

/**
 * The sizes for an image of this size. 1600 and 800 are upper bounds and always there; squares only where
 * the image fills them, with the legacy files that stand in for them where it does not.
 */
export function sizesFor(
  width: number,
  height: number,
): {
  readonly scaled: readonly number[];
  readonly squares: readonly number[];
} {
  const shortest = Math.min(width, height);
  const squares = squareSizes.filter((size) => size <= shortest);
  const needs400 = shortest < 1000;
  const needs150 = shortest < 250;
  return {
    scaled: needs400 ? [...scaledSizes, 400] : scaledSizes,
    squares: needs150 ? [...squares, 150] : squares,
  };
}

interface Pixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  readonly channels: Channels;
}

const fromPixels = ({ data, width, height, channels }: Pixels) =>
  sharp(data, { raw: { width, height, channels } });

/** What a scaled file fits into: the legacy one is 400 wide, the others have a longest edge. */
const bounds = (size: number) => (size === 400 ? [400, 1600] : [size, size]) as readonly [number, number];

/** Pixels of a scaled file, from the image as it was uploaded, so that proportions are rounded once; never enlarged. */
function scaledTo(size: number, width: number, height: number): { width: number; height: number } {
  const [widest, highest] = bounds(size);
  const factor = Math.min(1, widest / width, highest / height);
  const pixels = (edge: number) => Math.max(1, Math.round(edge * factor));
  return { width: pixels(width), height: pixels(height) };
}

const scale = (source: Pixels, box: { width: number; height: number }) =>
  fromPixels(source).resize({ ...box, fit: 'fill' });

const crop = (source: Pixels, size: number) =>
  fromPixels(source).resize({ width: size, height: size, fit: 'cover', position: 'centre' });

/** The middle of a step of 16 that the last four bits name, in hexadecimal. */
const middleOfStep = (step: number) => (((step & 15) << 4) + 8).toString(16).padStart(2, '0');

/** The color that most pixels of an RGBA image come near to, in steps of 16: the middle of the fullest step. */
function dominantColor(rgba: Buffer): string {
  const counts = new Uint32Array(4096);
  const step = (at: number) => (rgba[at] ?? 0) >> 4;
  for (let at = 0; at < rgba.length; at += 4) {
    const bin = (step(at) << 8) | (step(at + 1) << 4) | step(at + 2);
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const fullest = counts.indexOf(Math.max(...counts));
  return `#${[fullest >> 8, fullest >> 4, fullest].map(middleOfStep).join('')}`;
}

/** Blurhash and dominant color, both from a thumbnail: statistics of the whole image would cost as much as a file. */
async function impressionOf(source: Pixels) {
  const { data, info } = await fromPixels(source)
    .resize({ width: 32, height: 32, fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const blurhash = encode(new Uint8ClampedArray(data), info.width, info.height, 4, 3);
  return { color: dominantColor(data), blurhash };
}

/**
 * Makes every file of a photo from an uploaded image: upright, sRGB, first frame, on white, nothing of its metadata kept
 *. Throws for whatever cannot be processed (11204). The image is decoded once, into what the largest
 * files need.
 */
export async function renderPhoto(bytes: Buffer, type: ImageType): Promise<RenderedPhoto> {
  const { image, format } = open(bytes, type);
  const metadata = await image.metadata();
  checkSize(metadata, format);
  const { width, height } = metadata.autoOrient;
  const shortest = Math.min(width, height);
  // The smallest image from which the largest square can still be cropped.
  const edge = Math.max(1600, Math.ceil((Math.max(width, height) / shortest) * Math.min(1000, shortest)));
  const { data, info } = await image
    .autoOrient()
    .resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .timeout({ seconds: timeLimitSeconds })
    .toBuffer({ resolveWithObject: true });
  const source: Pixels = { data, width: info.width, height: info.height, channels: info.channels };
  const { scaled, squares } = sizesFor(width, height);
  const [files, impression] = await Promise.all([
    Promise.all([
      ...scaled.map(async (size) => ({
        size,
        bytes: await scale(source, scaledTo(size, width, height))
          .jpeg(jpeg)
          .toBuffer(),
      })),
      ...squares.map(async (size) => ({ size, bytes: await crop(source, size).jpeg(jpeg).toBuffer() })),
    ]),
    impressionOf(source),
  ]);
  return { files, width, height, ...impression };
}
