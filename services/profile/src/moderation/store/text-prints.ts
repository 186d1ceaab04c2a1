import { createCipheriv, hkdfSync } from 'node:crypto';
import { lettersOf } from '../../members/checks/plain-text.ts';

/** Values of a print, and letters of a shingle. */
const size = 32;
const shingle = 4;

/** Letters of a text that are compared. */
const longest = 2_000;

const blockBytes = 16;
const digestBytes = 6;

/** Mixes the bits of a number. */
function mixed(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/**
 * Creates the function that makes prints of texts (MinHash of letters). Texts with a share of the same letters have about that
 * share of their prints in common. Each value is enciphered with its place, so that nobody without the secret tests texts
 * against them.
 */
export function createPrints(secret: string) {
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', 'prints of messages', 32 + 4 * size));
  const key = bytes.subarray(0, 32);
  const seeds = Array.from({ length: size }, (_, index) => bytes.readUInt32LE(32 + 4 * index));
  /** The print of a text; undefined where it has fewer letters. */
  return function printOf(text: string, fewest: number): readonly string[] | undefined {
    const letters = lettersOf(text).slice(0, longest);
    if (letters.length < fewest) return undefined;
    const least = new Uint32Array(size).fill(0xffffffff);
    for (let at = 0; at + shingle <= letters.length; at += 1) {
      let hash = 0;
      for (let next = at; next < at + shingle; next += 1)
        hash = mixed(Math.imul(hash, 31) + letters.charCodeAt(next));
      for (const [index, seed] of seeds.entries()) {
        const value = mixed(hash ^ seed);
        if (value < (least[index] ?? 0)) least[index] = value;
      }
    }
    const blocks = Buffer.alloc(size * blockBytes);
    for (const [index, value] of least.entries()) {
      blocks.writeUInt32LE(index, index * blockBytes);
      blocks.writeUInt32LE(value, index * blockBytes + 4);
    }
    // No two blocks are the same, so each is a pseudorandom function of its place and value.
    const sealed = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false).update(blocks);
    return Array.from(least, (_, index) =>
      sealed.subarray(index * blockBytes, index * blockBytes + digestBytes).toString('base64url'),
    );
  };
}

/** About the share of letters that two texts have in common, by their prints. */
export const similarityOf = (one: readonly string[], other: readonly string[]): number =>
  one.filter((value, index) => value === other[index]).length / size;
