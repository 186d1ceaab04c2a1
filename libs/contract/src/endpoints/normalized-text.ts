import { z } from 'zod';
import { isBlank } from '../text/blank.ts';
import { storedText } from '../catalogue/check-value.ts';

const normalized = (text: string): string => {
  const stored = storedText(text) ?? '';
  return isBlank(stored) ? '' : stored;
};

/** A stored text outside of the catalogue, normalized like its fields: '' if blank; `min` to `max` characters. */
export function normalizedText(max: number, min = 0) {
  return z
    .string()
    .meta({ ...(min && { minLength: min }), maxLength: max })
    .transform(normalized)
    .refine((text) => {
      const length = Array.from(text).length;
      return length >= min && length <= max && !text.includes('\0');
    });
}
