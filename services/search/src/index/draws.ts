import { hash } from 'node:crypto';

/** Columns of draws that each document has. */
export const drawCount = 8;

/** A number of 31 bits that looks random and is always the same for a text. */
export const numberOf = (text: string): number => hash('sha256', text, 'buffer').readUInt32BE() >>> 1;

/** The places of a member in the draws: each is another random order of all members, always the same. */
export const drawsOf = (id: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: drawCount }, (_, draw) => [draw, numberOf(`${id}:${draw}`)]));
