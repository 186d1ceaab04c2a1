/** Hashes of copies of one photo differ in at most so many of their 256 bits; those of other photos in about 128. */
const largestDistance = 31;
const slices = 16;
const words = 8;
const values = 1 << 16;

/** The set bits of a 32-bit number. */
function bitsIn(number: number): number {
  const pairs = number - ((number >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** A value, and those that differ from it in one of 16 bits. */
const neighborsOf = (value: number) => [value, ...Array.from({ length: 16 }, (_, bit) => value ^ (1 << bit))];

const grown = (from: Uint32Array<ArrayBuffer>) => {
  const to = new Uint32Array(from.length * 2);
  to.set(from);
  return to;
};

/**
 * Creates a collection of photo hashes with an id each. Of two hashes that differ in at most 31 bits, one of the 16 slices
 * differs in at most one bit, so that a search compares only the hashes with such a slice. Hashes take about 100 bytes each.
 */
export function createSimilarHashes<Id>() {
  const ids: Id[] = [];
  let hashes = new Uint32Array(words * 64);
  /** By slice and value the number of the last hash with it, counted from 1; 0 is none. */
  let last: Uint32Array | undefined;
  /** By hash and slice the number of the hash before it with the same value. */
  let before = new Uint32Array(slices * 64);

  const isSimilar = (hash: number, wanted: Uint32Array) => {
    let distance = 0;
    for (let word = 0; word < words && distance <= largestDistance; word += 1) {
      distance += bitsIn((hashes[hash * words + word] ?? 0) ^ (wanted[word] ?? 0));
    }
    return distance <= largestDistance;
  };

  return {
    add(id: Id, hash: Uint8Array) {
      const copy = Uint8Array.from(hash).buffer;
      const at = ids.push(id) - 1;
      if (hashes.length < ids.length * words) [hashes, before] = [grown(hashes), grown(before)];
      hashes.set(new Uint32Array(copy), at * words);
      last ??= new Uint32Array(slices * values);
      for (const [slice, value] of new Uint16Array(copy).entries()) {
        before[at * slices + slice] = last[slice * values + value] ?? 0;
        last[slice * values + value] = at + 1;
      }
    },
    /** The ids of the hashes that are similar to one of `sought`. */
    find(sought: readonly Uint8Array[]): Id[] {
      const found = new Set<Id>();
      for (const hash of last ? sought : []) {
        const copy = Uint8Array.from(hash).buffer;
        const wanted = new Uint32Array(copy);
        for (const [slice, value] of new Uint16Array(copy).entries()) {
          for (const near of neighborsOf(value)) {
            let number = last?.[slice * values + near] ?? 0;
            for (; number; number = before[(number - 1) * slices + slice] ?? 0) {
              const id = ids[number - 1];
              if (id !== undefined && isSimilar(number - 1, wanted)) found.add(id);
            }
          }
        }
      }
      return [...found];
    },
  };
}
