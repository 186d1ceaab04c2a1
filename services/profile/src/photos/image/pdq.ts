/** Edge of the square that hashes are computed from. */
export const hashedEdge = 320;

/** The hashes of a photo. */
interface Pdq {
  /** 0 to 100: how much structure the photo has. */
  readonly quality: number;
  /** The hash of the photo, then those of its seven rotations and mirror images, 32 bytes each. */
  readonly hashes: readonly Uint8Array[];
}

/** Photos of a lower quality have too little structure to be told apart by their hashes. */
const lowestQuality = 50;

const block = 64;
const frequencies = 16;

/** Pixels of a block in each direction, and their weights: what two averages of three neighbors come to in the middle of five. */
const weights = [1 / 9, 2 / 9, 3 / 9, 2 / 9, 1 / 9];
const blockEdge = hashedEdge / block;

/** The luminance of 64x64 blocks. */
function luminanceOf(data: Uint8Array, channels: number): Float32Array {
  const blocks = new Float32Array(block * block);
  for (let row = 0, at = 0; row < hashedEdge; row += 1) {
    const rowWeight = weights[row % blockEdge] ?? 0;
    const first = Math.floor(row / blockEdge) * block;
    for (let column = 0; column < hashedEdge; column += 1, at += channels) {
      const luminance = 0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0);
      const cell = first + Math.floor(column / blockEdge);
      blocks[cell] = (blocks[cell] ?? 0) + luminance * rowWeight * (weights[column % blockEdge] ?? 0);
    }
  }
  return blocks;
}

/** Counts the steps between neighbors that are large enough to see. */
function qualityOf(blocks: Float32Array): number {
  const step = (one: number, other: number) =>
    Math.abs(Math.trunc((((blocks[one] ?? 0) - (blocks[other] ?? 0)) * 100) / 255));
  let steps = 0;
  for (let at = 0; at < blocks.length; at += 1) {
    if (at + block < blocks.length) steps += step(at, at + block);
    if ((at + 1) % block) steps += step(at, at + 1);
  }
  return Math.min(100, Math.trunc(steps / 90));
}

/** Weights of the frequencies 1 to 16 of a discrete cosine transform of 64 values. */
const cosines = Float32Array.from({ length: frequencies * block }, (_, at) => {
  const [frequency, position] = [Math.floor(at / block) + 1, at % block];
  return Math.sqrt(2 / block) * Math.cos((Math.PI / 2 / block) * frequency * (2 * position + 1));
});

/** The frequencies of each line of 64 values; the result is transposed, so that a second call does the other direction. */
function transformed(values: Float32Array): Float32Array {
  const lines = values.length / block;
  const result = new Float32Array(frequencies * lines);
  for (let frequency = 0; frequency < frequencies; frequency += 1) {
    for (let line = 0; line < lines; line += 1) {
      let sum = 0;
      for (let at = 0; at < block; at += 1) {
        sum += (cosines[frequency * block + at] ?? 0) * (values[line * block + at] ?? 0);
      }
      result[frequency * lines + line] = sum;
    }
  }
  return result;
}

/** A bit for each value above the median, the last value first. */
function bitsOf(values: Float32Array): Uint8Array {
  const median = values.toSorted()[values.length / 2 - 1] ?? 0;
  const bits = new Uint8Array(values.length / 8);
  for (const [at, value] of values.entries()) {
    const byte = bits.length - 1 - (at >> 3);
    if (value > median) bits[byte] = (bits[byte] ?? 0) | (1 << (at & 7));
  }
  return bits;
}

/** Rotations and mirror images only change signs of odd frequencies, and exchange rows with columns. */
function variantOf(values: Float32Array, flipped: { rows: boolean; columns: boolean; axes: boolean }) {
  return values.map((_, at) => {
    const [row, column] = [Math.floor(at / frequencies), at % frequencies];
    const value = values[flipped.axes ? column * frequencies + row : at] ?? 0;
    // The frequencies begin with 1, so those with an even index are odd.
    const isNegated = (flipped.rows && row % 2 === 0) !== (flipped.columns && column % 2 === 0);
    return isNegated ? -value : value;
  });
}

const both = [false, true];
const symmetries = both.flatMap((axes) =>
  both.flatMap((rows) => both.map((columns) => ({ axes, rows, columns }))),
);

/**
 * The hashes of a photo by PDQ, which Meta published: 256 bits that stay nearly the same when a photo is encoded or scaled
 * again. Each says whether one of the 16x16 lowest frequencies is stronger than the median of all. `data` has the pixels of a
 * square with the edge `hashedEdge`; the first three of the channels are red, green and blue.
 */
export function pdqOf(data: Uint8Array, channels: number): Pdq {
  const blocks = luminanceOf(data, channels);
  const strengths = transformed(transformed(blocks));
  return {
    quality: qualityOf(blocks),
    hashes: symmetries.map((symmetry) => bitsOf(variantOf(strengths, symmetry))),
  };
}

/** The hashes by which a photo is recognized; none where its quality does not suffice. */
export function recognizableBy(data: Uint8Array, channels: number): readonly Uint8Array[] {
  const { quality, hashes } = pdqOf(data, channels);
  return quality < lowestQuality ? [] : hashes;
}
