import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  checkValue,
  failureCodeOf,
  parseBoolean,
  parseCountry,
  parseNumber,
} from '../../src/catalogue/check-value.ts';
import type { Field } from '../../src/catalogue/field.ts';
import { fieldByName, fields } from '../../src/catalogue/fields.ts';

const field = (name: string): Field => {
  const found = fieldByName(name);
  if (!found) throw new Error(`no field ${name}`);
  return found;
};

/** The stored value, or `invalid`. */
const stored = (name: string, value: unknown, mode: 'register' | 'update' = 'register') => {
  const checked = checkValue(field(name), value, mode);
  return checked.valid ? checked.value : 'invalid';
};

describe('accepted values', () => {
  it.each<[string, unknown, unknown]>([
    ['gender', 'Male', 'Male'],
    ['username', 'Anna7', 'Anna7'],
    ['username', 'Ελένη', 'Ελένη'],
    ['username', 'Zoë92', 'Zoë92'],
    ['username', 'Толя9', 'Толя9'],
    ['username', '山田Taroひろ', '山田Taroひろ'],
    ['username', '민수Kim', '민수Kim'],
    ['username', 'ᏣᎳᎩ', 'ᏣᎳᎩ'],
    ['username', '  Anna ', 'Anna'],
    ['email', 'a.b+c@example.org', 'a.b+c@example.org'],
    ['email', `${'x'.repeat(116)}@example.org`, `${'x'.repeat(116)}@example.org`],
    ['date_of_birth', '02/29/2000', '2000-02-29'],
    ['city', 'São Paulo', 'São Paulo'],
    ['city', 'Sa\u0303o', 'S\u00e3o'],
    ['zip', 10001, '10001'],
    ['zip', 'SW1A 1AA', 'SW1A 1AA'],
    ['zip', 'x'.repeat(20), 'x'.repeat(20)],
    ['country', 'us', 'US'],
    ['latitude', '40.5', 40.5],
    ['latitude', -90, -90],
    ['latitude', 90, 90],
    ['longitude', '-180', -180],
    ['longitude', '-5.0E-4', -0.0005],
    ['longitude', '-0.12775829999999998', Number('-0.12775829999999998')],
    ['longitude', ' 180 ', 180],
    ['first_name', 'Anne-Marie', 'Anne-Marie'],
    ['headline', 'x', 'x'],
    ['smoking', 20, 20],
    ['smoking', '20', 20],
    ['language', ['10', 20, 10], [10, 20]],
    ['language', 10, [10]],
    ['language', [], null],
    ['username', 'नमस्ते', 'नमस्ते'],
    ['headline', 'Love ❤\ufe0f', 'Love ❤\ufe0f'],
    ['f_book', '\u200b\u2060', null],
    ['headline', 'cut \ud83d', 'cut \ufffd'],
    ['height', '180', 180],
    ['height', 120, 120],
    ['height', 230, 230],
    ['agefrom', 18, 18],
    ['ageto', 120, 120],
    ['world_plus', 'opted-in', 'opted_in'],
    ['world_plus', 'OPTED_OUT', 'opted_out'],
    ['display_name_preference', 'nickname', 'nickname'],
    ['online', 'true', true],
    ['online', 0, false],
    ['online', 'FALSE', false],
    ['locale', 'en_US', 'en_US'],
    ['timezone', 'Europe/Berlin', 'Europe/Berlin'],
    ['f_book', '', null],
    ['f_book', ' \t', null],
    ['smoking', ' ', null],
    ['f_book', null, null],
    ['smoking', null, null],
    ['height', '', null],
    ['height', null, null],
    ['password', '  spaces stay  ', '  spaces stay  '],
  ])('%s %p is stored as %p', (name, value, expected) => {
    expect(stored(name, value)).toEqual(expected);
  });
});

describe('refused values', () => {
  it.each<[string, unknown]>([
    ['gender', 'male'],
    ['gender', ''],
    ['gender', ['Male']],
    ['username', 'anna b'],
    ['username', 'anna_b'],
    ['username', 'p\u0430ypal'],
    ['username', '\u0391lice'],
    ['username', 'Ελένηб'],
    ['username', 'ひろ민수'],
    ['username', 'Annaअ'],
    ['username', ''],
    ['username', '\u3164'],
    ['username', 'Anna\ufe0f'],
    ['username', '\u0301\u0301'],
    ['first_name', '\u200b'],
    ['headline', '\u200b\u00ad \u3164'],
    ['email', 'anna@'],
    ['email', 'anna'],
    ['email', `${'x'.repeat(117)}@example.org`],
    ['date_of_birth', '02/29/2001'],
    ['date_of_birth', '2000-02-29'],
    ['date_of_birth', '13/01/2000'],
    ['date_of_birth', '12/31/1899'],
    ['date_of_birth', { year: 2000 }],
    ['city', ''],
    ['city', ' '],
    ['city', 'a\0b'],
    ['city', { $ne: '' }],
    ['country', 'USA'],
    ['country', 'XX'],
    ['country', 'u\u017f'],
    ['latitude', 90.01],
    ['latitude', 'north'],
    ['latitude', Number.NaN],
    ['latitude', ''],
    ['longitude', 180.1],
    ['longitude', '0x10'],
    ['smoking', 25],
    ['smoking', [10]],
    ['smoking', true],
    ['language', [10, 11]],
    ['height', 119],
    ['height', 231],
    ['height', 180.5],
    ['world_plus', 'yes'],
    ['online', 2],
    ['online', 'yes'],
    ['online', ''],
    ['locale', 'en-US'],
    ['locale', 'english'],
    ['timezone', 'Mars/Olympus'],
    ['password', 12_345_678],
    ['agefrom', 17],
    ['agefrom', 121],
    ['q_lessons', 'x'.repeat(1001)],
  ])('%s %p', (name, value) => {
    expect(stored(name, value)).toBe('invalid');
  });

  it.each([
    ['headline', 9, 10, 75, 76],
    ['about_me', 99, 100, 1500, 1501],
  ])(
    '%s on update: %d characters are too few, %d enough, %d fit, %d do not',
    (name, short, least, most, long) => {
      const lengths = [short, least, most, long].map((length) => stored(name, 'x'.repeat(length), 'update'));
      expect(lengths.map((value) => value === 'invalid')).toEqual([true, false, false, true]);
    },
  );

  it.each([
    ['username', '', 100],
    ['email', '@mail.example', 128],
    ['city', '', 255],
    ['state', '', 45],
    ['zip', '', 20],
    ['first_name', '', 100],
    ['last_name', '', 100],
    ['headline', '', 75],
    ['about_me', '', 1_500],
  ])('%s%s of %d characters fits at registration, one more does not', (name, end, most) => {
    const lengths = [most, most + 1].map((length) => 'x'.repeat(length - end.length) + end);
    expect(lengths.map((text) => stored(name, text))).toEqual([lengths[0], 'invalid']);
  });

  it('counts characters, not code units', () => {
    expect(stored('headline', '💙'.repeat(75))).toBe('💙'.repeat(75));
    expect(stored('headline', '💙'.repeat(76))).toBe('invalid');
  });
});

describe('codes of refused values', () => {
  it.each([
    ['gender', 10001, 20101],
    ['gender_preference', 10002, 10002],
    ['country', 10011, 20201],
    ['zip', 10041, 20301],
    ['date_of_birth', 10401, 20401],
    ['email', 10301, 20501],
    ['city', 10051, 10051],
    ['state', 10061, 10061],
    ['username', 10102, 10102],
    ['headline', 10501, 10501],
    ['about_me', 10601, 10601],
    ['display_name_preference', 20701, 20701],
    ['online', 20702, 20702],
    ['world_plus', 20703, 20703],
    ['smoking', 20901, 20901],
    ['f_book', 20901, 20901],
  ])('%s: %d at registration, %d on update', (name, register, update) => {
    expect(failureCodeOf(field(name), 'register')).toBe(register);
    expect(failureCodeOf(field(name), 'update')).toBe(update);
  });

  it.each([
    ['deactivated', 20704],
    ['searchable', 20801],
    ['reason_id', 20801],
  ])('%s, on update only: %d', (name, update) => {
    expect(failureCodeOf(field(name), 'update')).toBe(update);
  });
});

/** The same input in every run. */
const seed = 1;

const anyField = fc.constantFrom(...fields);
const mode = fc.constantFrom('register' as const, 'update' as const);
const plausible = fc.oneof(
  fc.anything(),
  fc.string({ unit: 'grapheme', maxLength: 200, size: 'max' }),
  fc.integer(),
  fc.double(),
  fc.constantFrom(
    '10',
    20,
    '20',
    'Male',
    'us',
    'en_US',
    'Europe/Paris',
    'opted-in',
    'true',
    '01/31/1990',
    'a@b.org',
  ),
);

describe('any value in any field', () => {
  it('is checked without an exception', () => {
    fc.assert(
      fc.property(anyField, plausible, mode, (field, value, mode) => {
        expect(typeof checkValue(field, value, mode).valid).toBe('boolean');
      }),
      { numRuns: 2_000, seed },
    );
  });

  it('stays valid and unchanged after storing', () => {
    // A date is stored in another format than it is sent in.
    const sameFormat = anyField.filter(({ kind }) => kind !== 'date');
    fc.assert(
      fc.property(sameFormat, plausible, mode, (field, value, mode) => {
        const checked = checkValue(field, value, mode);
        fc.pre(checked.valid);
        expect(checkValue(field, checked.value, mode)).toEqual(checked);
      }),
      { numRuns: 2_000, seed },
    );
  });

  it('fits its limits in characters once stored, if it is a text', () => {
    const texts = anyField.filter(({ kind }) => kind === 'text');
    fc.assert(
      fc.property(texts, fc.string({ unit: 'grapheme', maxLength: 400, size: 'max' }), (field, value) => {
        const checked = checkValue(field, value, 'register');
        fc.pre(checked.valid && checked.value !== null);
        const { min = 0, max = Infinity } = field.limits ?? {};
        const length = Array.from(String(checked.valid && checked.value)).length;
        expect(length).toBeGreaterThanOrEqual(min);
        expect(length).toBeLessThanOrEqual(max);
      }),
      { seed },
    );
  });
});

describe('parsing', () => {
  it('accepts numbers of any length by their digits, and no other spelling', () => {
    const fraction = fc.nat().map((part) => part / 2 ** 31);
    const numbers = fc.tuple(fc.integer(), fc.option(fraction, { nil: 0 })).map(([one, part]) => one + part);
    fc.assert(
      fc.property(numbers, (number) => {
        expect([parseNumber(number), parseNumber(String(number))]).toEqual([number, number]);
      }),
      { seed },
    );
    const others = [
      '',
      ' ',
      'e3',
      '1e',
      '1e999',
      '0x10',
      '1,5',
      '--1',
      'NaN',
      'Infinity',
      '1.',
      '.5',
      null,
      {},
      [],
      true,
    ];
    expect(others.map(parseNumber)).toEqual(others.map(() => undefined));
  });

  it('accepts every spelling of a boolean', () => {
    const values = [true, 'true', 'TRUE', 1, '1', false, 'false', 0, '0', 'yes', 2, '', null, undefined, []];
    const parsed = [...Array<boolean>(5).fill(true), ...Array<boolean>(4).fill(false)];
    expect(values.map(parseBoolean)).toEqual([...parsed, ...Array<undefined>(6).fill(undefined)]);
  });

  it('accepts ISO 3166-1 alpha-2 codes', () => {
    expect(['US', 'gb', 'GR', 'ZZ', 'UK', 'DEU', 1, null].map(parseCountry)).toEqual([
      'US',
      'GB',
      'GR',
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
