import type { Position } from '@covalence/contract/position';
import { hash } from 'node:crypto';

/** A number of 31 bits that looks random and is always the same for a text. */
export const numberOf = (text: string): number => hash('sha256', text, 'buffer').readUInt32BE() >>> 1;

/** The place of a number on the equator. Members get a random place there; those near a random other place come first among equals. */
export const placeOf = (number: number): Position => ({ lat: 0, lon: (number / 2 ** 31) * 360 - 180 });

/** The place of a member in the draw. */
export const drawOf = (id: number): Position => placeOf(numberOf(String(id)));
