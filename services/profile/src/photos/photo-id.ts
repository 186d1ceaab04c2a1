import { invalidArgument } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import { isGiven } from '@covalence/contract/parameters';

/** A photo id as clients send it, or undefined where the value is none. */
export function asPhotoId(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? value : undefined;
  return typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : undefined;
}

/** The `photoid` parameter: 11301 missing, 11302 not numeric. */
export function readPhotoId(value: unknown): number {
  if (!isGiven(value)) throw invalidArgument(failCodes.photoIdMissing);
  const id = asPhotoId(value);
  if (id === undefined) throw invalidArgument(failCodes.photoIdNotNumeric);
  return id;
}
