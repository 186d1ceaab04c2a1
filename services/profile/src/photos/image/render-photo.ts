import { encode } from 'blurhash';
import sharp, { type Channels, type Metadata, type Sharp } from 'sharp';
import { rasterOfBmp, rasterOfIco, type Raster } from './decode-raster.ts';
import type { ImageType } from './image-type.ts';
import { hashedEdge, recognizableBy } from './pdq.ts';

/** The files and metadata rendered from an upload. */
export interface RenderedPhoto {
  readonly files: readonly { readonly size: number; readonly bytes: Uint8Array }[];
  readonly width: number;
  readonly height: number;
  readonly blurhash: string;
  readonly color: string;
  /** Perceptual hashes: of the photo, then of its rotations and mirror images. None where it has little structure. */
  readonly hashes: readonly Uint8Array[];
}

/** Largest number of pixels to decode; cameras have up to 50 million. */
const pixelLimit = 50_000_000;
/** Largest decoded size in bytes of formats that are not read line by line: PNG and GIF. */
const decodedLimit = 256 * 1024 * 1024;
const longestEdge = 16_383;
const timeLimitSeconds = 15;

// Only three decoders of libvips are allowed; SVG, PDF, TIFF and the others stay blocked.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadNsgifBuffer'],
});
sharp.cache(false);
// Each image uses one thread; the pool runs several images in parallel.
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

/** Throws for an image that would need too much memory, before it is decoded. */
function checkSize({ width, height, channels, depth, format }: Metadata, expected: string): void {
  if (format !== expected) throw new Error(`${format} where ${expected} was announced`);
  if (Math.max(width, height) > longestEdge) throw new Error(`an edge over ${longestEdge} pixels`);
  const decoded = width * height * channels * (sampleBytes[depth] ?? 1);
  if (width * height > pixelLimit || (format !== 'jpeg' && decoded > decodedLimit)) {
    throw new Error(`${width}x${height} pixels`);
  }
}

// Baseline JPEG: progressive files are slightly smaller, but take twice as long to write.
const jpeg = { quality: 82 } as const;
const scaledSizes: readonly number[] = [1600, 800];
const squareSizes: readonly number[] = [1000, 500, 250];

/** The sizes to render: 1600 and 800 always; squares that the image is large enough for, otherwise legacy sizes. */
function sizesFor(width: number, height: number) {
  const shortest = Math.min(width, height);
  const squares = squareSizes.filter((size) => size <= shortest);
  return {
    scaled: shortest < 1000 ? [...scaledSizes, 400] : scaledSizes,
    squares: shortest < 250 ? [...squares, 150] : squares,
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

/** Bounds of a scaled file: the legacy one is 400 wide, the others limit the longest edge. */
const bounds = (size: number) => (size === 400 ? [400, 1600] : [size, size]) as readonly [number, number];

/** Width and height of a scaled file, computed from the uploaded image so that rounding happens once; never enlarged. */
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

const fileOf = async (size: number, image: Sharp) => ({ size, bytes: await image.jpeg(jpeg).toBuffer() });

const middleOfStep = (step: number) => (((step & 15) << 4) + 8).toString(16).padStart(2, '0');

/** The most frequent color of an RGBA image, quantized to 16 steps for each channel. */
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

async function impressionOf(source: Pixels) {
  const { data, info } = await fromPixels(source)
    .resize({ width: 32, height: 32, fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const blurhash = encode(new Uint8ClampedArray(data), info.width, info.height, 4, 3);
  return { color: dominantColor(data), blurhash };
}

async function hashesOf(source: Pixels): Promise<readonly Uint8Array[]> {
  const { data, info } = await fromPixels(source)
    .resize({ width: hashedEdge, height: hashedEdge, fit: 'fill', kernel: 'linear' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return recognizableBy(data, info.channels);
}

/**
 * Renders every file of a photo: upright, sRGB, first frame, on white, without metadata. Decodes the image once, at
 * the size that the largest files need. Throws where the image cannot be processed (11204).
 */
export async function renderPhoto(bytes: Buffer, type: ImageType): Promise<RenderedPhoto> {
  const { image, format } = open(bytes, type);
  const metadata = await image.metadata();
  checkSize(metadata, format);
  const { width, height } = metadata.autoOrient;
  const shortest = Math.min(width, height);
  // The smallest image that the largest square can be cropped from.
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
  const [files, impression, hashes] = await Promise.all([
    Promise.all([
      ...scaled.map((size) => fileOf(size, scale(source, scaledTo(size, width, height)))),
      ...squares.map((size) => fileOf(size, crop(source, size))),
    ]),
    impressionOf(source),
    hashesOf(source),
  ]);
  return { files, width, height, hashes, ...impression };
}
