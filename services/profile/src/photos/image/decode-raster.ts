import { decode as decodeBmp } from 'bmp-ts';
import decodeIco from 'decode-ico';

/** Pixels of an image that libvips cannot read itself; `png` where the file only wraps one. */
export type Raster =
  | { readonly kind: 'png'; readonly bytes: Buffer }
  | {
      readonly kind: 'pixels';
      /** RGBA, four bytes a pixel. */
      readonly data: Buffer;
      readonly width: number;
      readonly height: number;
    };

/** Pixels that are decoded here at most: 5 MiB of true colour are under two million. */
const pixelLimit = 16_000_000;

/** Where a BMP's header says its size: int32 each; a negative height means top to bottom. */
const bmpWidthAt = 18;
const bmpHeightAt = 22;

/** Decodes a BMP of any depth; throws for what is broken or too large. */
export function rasterOfBmp(bytes: Buffer): Raster {
  const pixels = bytes.readUInt32LE(bmpWidthAt) * Math.abs(bytes.readInt32LE(bmpHeightAt));
  if (!pixels || pixels > pixelLimit) throw new Error(`a BMP of ${pixels} pixels`);
  const { data, width, height } = decodeBmp(bytes, { toRGBA: true });
  // The fourth byte of a BMP is padding more often than opacity.
  for (let at = 3; at < data.length; at += 4) data[at] = 255;
  return { kind: 'pixels', data, width, height };
}

const headerLength = 6;
const entryLength = 16;
/** An edge of 0 means 256. */
const edge = (value: number) => value || 256;

/** The directory entry of the largest image, the deepest of those that are equal. */
function bestEntry(bytes: Buffer): Buffer {
  const count = bytes.readUInt16LE(4);
  const entries = Array.from({ length: count }, (_, index) => {
    const start = headerLength + index * entryLength;
    const entry = bytes.subarray(start, start + entryLength);
    const area = edge(entry.readUInt8(0)) * edge(entry.readUInt8(1));
    return { entry, rank: area * 256 + entry.readUInt16LE(6) };
  });
  const best = entries.sort((one, other) => other.rank - one.rank)[0];
  if (!best) throw new Error('an icon without images');
  return best.entry;
}

/** Decodes the best image of an icon and none of the others: a directory may name one image 65,535 times. */
export function rasterOfIco(bytes: Buffer): Raster {
  const entry = Buffer.from(bestEntry(bytes));
  const [length, offset] = [entry.readUInt32LE(8), entry.readUInt32LE(12)];
  const image = bytes.subarray(offset, offset + length);
  if (image.length !== length || !length) throw new Error('an icon that ends early');
  const header = Buffer.from([0, 0, 1, 0, 1, 0]);
  entry.writeUInt32LE(headerLength + entryLength, 12);
  const [decoded] = decodeIco(Buffer.concat([header, entry, image]));
  if (!decoded) throw new Error('an icon without images');
  const data = Buffer.from(decoded.data.buffer, decoded.data.byteOffset, decoded.data.byteLength);
  const { type, width, height } = decoded;
  return type === 'png' ? { kind: 'png', bytes: data } : { kind: 'pixels', data, width, height };
}
