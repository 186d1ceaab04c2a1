import { decode as decodeBmp } from 'bmp-ts';
import decodeIco from 'decode-ico';
import { imageTypeOf } from './image-type.ts';

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

/** Largest number of pixels to decode; 5 MiB of true color are under two million. */
const pixelLimit = 16_000_000;

/** Offsets of the fields in a BMP header. A negative height means rows from top to bottom. */
const bmp = {
  pixels: 10,
  header: 14,
  width: 18,
  height: 22,
  depth: 28,
  compression: 30,
  colors: 46,
} as const;
const fileHeader = 14;
const infoHeader = 40;
const masksLength = 12;
/** Supported compressions: plain rows, and pixels with masks. */
const plainRows = 0;
const bitFields = 3;
const masked = [bitFields, 6];

/** Rewrites a BMP for bmp-ts, which expects a plain header, then masks or palette, and the pixels at once behind them. */
function plainBmp(bytes: Buffer): Buffer {
  const [depth, compression] = [bytes.readUInt16LE(bmp.depth), bytes.readUInt32LE(bmp.compression)];
  const hasMasks = masked.includes(compression);
  // bmp-ts misreads rows with an odd number of half bytes.
  const isOdd = depth === 4 && bytes.readUInt32LE(bmp.width) % 2 === 1;
  const length = bytes.readUInt32LE(bmp.header);
  if (isOdd || length < infoHeader || !(hasMasks || compression === plainRows))
    throw new Error('unsupported BMP');
  const head = fileHeader + infoHeader;
  const header = Buffer.from(bytes.subarray(0, head));
  const colors = depth > 8 ? 0 : bytes.readUInt32LE(bmp.colors) || 1 << depth;
  header.writeUInt32LE(infoHeader, bmp.header);
  header.writeUInt32LE(hasMasks ? bitFields : plainRows, bmp.compression);
  header.writeUInt32LE(colors, bmp.colors);
  const palette = fileHeader + length;
  return Buffer.concat([
    header,
    bytes.subarray(head, head + (hasMasks ? masksLength : 0)),
    bytes.subarray(palette, palette + colors * 4),
    bytes.subarray(bytes.readUInt32LE(bmp.pixels)),
  ]);
}

/** Decodes a BMP of any depth. Throws where it is broken or too large. */
export function rasterOfBmp(bytes: Buffer): Raster {
  const pixels = bytes.readUInt32LE(bmp.width) * Math.abs(bytes.readInt32LE(bmp.height));
  if (!pixels || pixels > pixelLimit) throw new Error(`a BMP of ${pixels} pixels`);
  const { data, width, height } = decodeBmp(plainBmp(bytes));
  // From ABGR to RGBA. The option of bmp-ts has no effect on images with a palette.
  data.swap32();
  // The fourth byte of a BMP pixel is usually padding, not opacity.
  for (let at = 3; at < data.length; at += 4) data[at] = 255;
  return { kind: 'pixels', data, width, height };
}

const headerLength = 6;
const entryLength = 16;
const longestIconEdge = 256;
const edge = (value: number) => value || longestIconEdge;

/** The directory entry of the largest image; of equal ones the one with the most colors. */
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

/** Throws where a BMP in an icon claims a size that no icon has, because decode-ico would loop over every row. */
function checkIconSize(image: Buffer): void {
  // The height includes the mask.
  const [width, height] = [image.readUInt32LE(4), image.readUInt32LE(8) / 2];
  if (Math.min(width, height) < 1 || Math.max(width, height) > longestIconEdge)
    throw new Error(`an icon of ${width}x${height} pixels`);
}

/** Decodes only the best image of an icon, because a directory can list one image 65,535 times. */
export function rasterOfIco(bytes: Buffer): Raster {
  const entry = Buffer.from(bestEntry(bytes));
  const [length, offset] = [entry.readUInt32LE(8), entry.readUInt32LE(12)];
  const image = bytes.subarray(offset, offset + length);
  if (image.length !== length || !length) throw new Error('an icon that ends early');
  if (imageTypeOf(image) !== 'png') checkIconSize(image);
  const header = Buffer.from([0, 0, 1, 0, 1, 0]);
  entry.writeUInt32LE(headerLength + entryLength, 12);
  const [decoded] = decodeIco(Buffer.concat([header, entry, image]));
  if (!decoded) throw new Error('an icon without images');
  const data = Buffer.from(decoded.data.buffer, decoded.data.byteOffset, decoded.data.byteLength);
  const { type, width, height } = decoded;
  return type === 'png' ? { kind: 'png', bytes: data } : { kind: 'pixels', data, width, height };
}
