import { z } from 'zod';
import { isBlank } from './blank.ts';
import { storedText } from './catalogue/check-value.ts';

const kept = (text: string): string => {
  const stored = storedText(text) ?? '';
  return isBlank(stored) ? '' : stored;
};

/**
 * A text that is kept beside the fields of the catalogue, made as theirs are: '' where it shows nothing, and `min` to
 * `max` characters, not code units.
 */
export function keptText(max: number, min = 0) {
  return z
    .string()
    .meta({ ...(min && { minLength: min }), maxLength: max })
    .transform(kept)
    .refine((text) => {
      const length = Array.from(text).length;
      return length >= min && length <= max && !text.includes('\0');
    });
}
