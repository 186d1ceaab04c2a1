import { invalidArgument } from '@covalence/contract/failure';

const digits = /^\d{1,15}$/;

/** A photo id as clients send it, or undefined for what is none. */
export function asPhotoId(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
  return typeof value === 'string' && digits.test(value.trim()) ? Number(value) : undefined;
}

/** The `photoid` parameter: 11301 missing, 11302 not numeric. */
export function readPhotoId(value: unknown): number {
  if (value === undefined || value === null || value === '') throw invalidArgument(11301);
  const id = asPhotoId(value);
  if (id === undefined) throw invalidArgument(11302);
  return id;
}
