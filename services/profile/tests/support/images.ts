import { encode as encodeBmp } from 'bmp-ts';
import sharp from 'sharp';
import { deflateSync, crc32 } from 'node:zlib';

/** A colorful gradient, so that every decoder has something to get wrong. */
export function pixels(width: number, height: number, channels: 3 | 4 = 3): Buffer {
  const data = Buffer.alloc(width * height * channels, 255);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * channels;
      data[at] = (x * 255) / width;
      data[at + 1] = (y * 255) / height;
      data[at + 2] = 128;
    }
  }
  return data;
}

/** A picture as sharp has it, to be encoded by the caller. */
export const picture = (width: number, height: number) =>
  sharp(pixels(width, height), { raw: { width, height, channels: 3 } });

export const jpegOf = (width: number, height: number): Promise<Buffer> =>
  picture(width, height).jpeg().toBuffer();

/** True color, which bmp-ts wants as ABGR. */
export function bmpOf(width: number, height: number): Buffer {
  const rgb = pixels(width, height);
  const data = Buffer.alloc(width * height * 4, 255);
  for (let index = 0; index < width * height; index += 1) {
    data[index * 4 + 1] = rgb[index * 3 + 2] ?? 0;
    data[index * 4 + 2] = rgb[index * 3 + 1] ?? 0;
    data[index * 4 + 3] = rgb[index * 3] ?? 0;
  }
  return Buffer.from(encodeBmp({ data, width, height, bitPP: 24 }).data);
}

/** With a palette of 256 colors, and some bytes between that and the pixels. */
export function paletteBmpOf(width: number, height: number): Buffer {
  const palette = Buffer.alloc(256 * 4);
  for (let color = 0; color < 256; color += 1) {
    palette.set([128, (color % 16) * 17, Math.floor(color / 16) * 17], color * 4);
  }
  const stride = Math.ceil(width / 4) * 4;
  const rows = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const color = Math.floor((x * 16) / width) * 16 + Math.floor((y * 16) / height);
      // The last row comes first.
      rows[(height - 1 - y) * stride + x] = color;
    }
  }
  const header = Buffer.from(bmpOf(1, 1).subarray(0, 54));
  const gap = Buffer.alloc(6, 255);
  header.writeUInt32LE(header.length + palette.length + gap.length, 10);
  header.writeUInt32LE(width, 18);
  header.writeUInt32LE(height, 22);
  header.writeUInt16LE(8, 28);
  return Buffer.concat([header, palette, gap, rows]);
}

/** A BMP whose rows are run lengths. */
export function runLengthBmp(): Buffer {
  const bytes = paletteBmpOf(4, 4);
  bytes.writeUInt32LE(1, 30);
  return bytes;
}

const iconEntry = (edge: number, length: number, offset: number) => {
  const entry = Buffer.alloc(16);
  entry.writeUInt8(edge % 256, 0);
  entry.writeUInt8(edge % 256, 1);
  entry.writeUInt16LE(1, 4);
  entry.writeUInt16LE(32, 6);
  entry.writeUInt32LE(length, 8);
  entry.writeUInt32LE(offset, 12);
  return entry;
};

/** An icon whose directory names one image `times` times. */
export function iconOf(image: Buffer, edge: number, times = 1): Buffer {
  const header = Buffer.alloc(6);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(times, 4);
  const offset = 6 + 16 * times;
  const entries = Array.from({ length: times }, () => iconEntry(edge, image.length, offset));
  return Buffer.concat([header, ...entries, image]);
}

/** A true-color image as icons hold it: a BMP without file header, twice as high for its mask. */
export function iconImage(edge: number): Buffer {
  const header = Buffer.alloc(40);
  header.writeUInt32LE(40, 0);
  header.writeInt32LE(edge, 4);
  header.writeInt32LE(edge * 2, 8);
  header.writeUInt16LE(1, 12);
  header.writeUInt16LE(32, 14);
  const mask = Buffer.alloc(Math.ceil(edge / 32) * 4 * edge);
  return Buffer.concat([header, pixels(edge, edge, 4), mask]);
}

/** An icon whose image says that it has no columns and more rows than anybody has time for. */
export function endlessIcon(): Buffer {
  const image = iconImage(32);
  image.writeUInt32LE(0, 4);
  image.writeUInt32LE(2 ** 32 - 2, 8);
  return iconOf(image, 256);
}

const pngChunk = (type: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
};

/** A PNG that claims a size and brings zeros for it: small to send, large to decode. */
export function pngBomb(width: number, height: number, rows = height): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc((width * 3 + 1) * rows), { level: 9 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A BMP header that claims a size. */
export function bmpBomb(width: number, height: number): Buffer {
  const bytes = bmpOf(2, 2);
  bytes.writeUInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  return bytes;
}

/** A GIF that claims a size, for its screen and for its one frame. */
export async function gifBomb(): Promise<Buffer> {
  const bytes = await picture(8, 8).gif().toBuffer();
  const frame = bytes.indexOf(Buffer.from('2c0000000008000800', 'hex'));
  for (const at of [6, 8, frame + 5, frame + 7]) bytes.writeUInt16LE(60_000, at);
  return bytes;
}
