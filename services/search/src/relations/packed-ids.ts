import {
  bitsOfCharacter,
  idsOfPage,
  listedAtMost,
  packedBase,
  wholePage,
} from '@covalence/contract/not-listed-script';

/**
 * A set of member ids as the script of exclusions reads it: a string for each page of ids, from the first page that has one
 * to the last. It takes 683 characters for each page of which much is in the set and two for each id of the others, so that
 * neither a large population nor a long list makes it large.
 */
export interface PackedIds {
  /** Number of the first page. */
  readonly first: number;
  readonly pages: readonly string[];
}

/** The largest id that the index can have. */
const largest = 2 ** 31 - 1;

const characterOf = (bits: number): number => packedBase + bits;

const bitsAt = (codes: Uint8Array, index: number): number => (codes[index] ?? packedBase) - packedBase;

const textOf = (codes: Uint8Array): string => Buffer.from(codes).toString('latin1');

/** The places of few ids within their page, in order, two characters each. */
function listed(within: readonly number[]): string {
  const inOrder = within.toSorted((one, other) => one - other);
  return textOf(Uint8Array.from(inOrder.flatMap((at) => [characterOf(at >> 6), characterOf(at & 63)])));
}

/** One bit for each id of a page. */
function bitmap(within: readonly number[]): string {
  const codes = new Uint8Array(wholePage).fill(packedBase);
  for (const at of within) {
    const index = Math.floor(at / bitsOfCharacter);
    codes[index] = characterOf(bitsAt(codes, index) | (1 << (at % bitsOfCharacter)));
  }
  return textOf(codes);
}

const pageOf = (within: readonly number[]): string =>
  within.length > listedAtMost ? bitmap(within) : listed(within);

/** Ids by their page, as places within it; those that no member of the index can have are left out. */
function byPage(ids: Iterable<number>): Map<number, number[]> {
  const pages = new Map<number, number[]>();
  for (const id of new Set(ids)) {
    if (!Number.isInteger(id) || id < 0 || id > largest) continue;
    const page = Math.floor(id / idsOfPage);
    const within = pages.get(page);
    if (within) within.push(id % idsOfPage);
    else pages.set(page, [id % idsOfPage]);
  }
  return pages;
}

/** Packs a set of ids, given in any order; ids that no member of the index can have are left out. */
export function packIds(ids: Iterable<number>): PackedIds {
  const places = byPage(ids);
  const numbers = [...places.keys()].sort((one, other) => one - other);
  const first = numbers[0] ?? 0;
  const length = numbers.length && (numbers.at(-1) ?? first) - first + 1;
  return { first, pages: Array.from({ length }, (_, index) => pageOf(places.get(first + index) ?? [])) };
}

const codeAt = (page: string, index: number): number => page.charCodeAt(index) - packedBase;

function* withinPage(page: string): Generator<number> {
  if (page.length < wholePage) {
    for (let at = 0; at < page.length; at += 2) yield codeAt(page, at) * 64 + codeAt(page, at + 1);
    return;
  }
  for (let within = 0; within < idsOfPage; within += 1) {
    const bits = codeAt(page, Math.floor(within / bitsOfCharacter));
    if ((bits >> (within % bitsOfCharacter)) & 1) yield within;
  }
}

/** The ids of a packed set, in order. */
export function unpackIds({ first, pages }: PackedIds): number[] {
  return pages.flatMap((page, index) =>
    [...withinPage(page)].map((within) => (first + index) * idsOfPage + within),
  );
}

function pageWithout(page: string, gone: readonly number[]): string {
  if (page.length < wholePage) return listed([...withinPage(page)].filter((at) => !gone.includes(at)));
  const codes = Buffer.from(page, 'latin1');
  for (const at of gone) {
    const index = Math.floor(at / bitsOfCharacter);
    codes[index] = characterOf(bitsAt(codes, index) & ~(1 << (at % bitsOfCharacter)));
  }
  return textOf(codes);
}

/** A packed set without some ids; only their pages change. */
export function withoutIds({ first, pages }: PackedIds, ids: Iterable<number>): PackedIds {
  const gone = byPage(ids);
  const without = (page: string, index: number) => {
    const within = gone.get(first + index);
    return within ? pageWithout(page, within) : page;
  };
  return { first, pages: pages.map(without) };
}
