import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { normalizedText } from '../../src/endpoints/normalized-text.ts';

const asSent = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input' });

describe('a normalized text', () => {
  const five = normalizedText(5);

  it.each([
    ['is trimmed', '  abc ', 'abc'],
    ['is in one form', 'e\u0301', '\u00e9'],
    ['has no half characters', 'ab\ud83d', 'ab\ufffd'],
    ['is empty where it shows nothing', '\u200b\u2800 ', ''],
    ['has as many characters as it may, of any script', '👋👋👋👋👋', '👋👋👋👋👋'],
  ])('%s', (_what, sent, stored) => {
    expect(five.parse(sent)).toBe(stored);
  });

  it.each([
    ['too long', five, '👋👋👋👋👋👋'],
    ['with a zero', five, 'a\0b'],
    ['empty where one is needed', normalizedText(5, 1), '\u200b'],
    ['no text', five, 5],
  ])('is refused: %s', (_what, schema, sent) => {
    expect(schema.safeParse(sent).success).toBe(false);
  });

  it('has its limits in the OpenAPI document', () => {
    expect(asSent(normalizedText(5, 1).optional())).toMatchObject({
      type: 'string',
      minLength: 1,
      maxLength: 5,
    });
    expect(asSent(five)).not.toHaveProperty('minLength');
  });
});
