import countries from 'i18n-iso-countries';
import { z } from 'zod';
import { failCodes } from '../failures/failure-codes.ts';
import { isMap } from '../is-map.ts';
import { isBlank } from '../text/blank.ts';
import { isOfOneScript } from '../text/one-script.ts';
import { isGender } from '../members/record.ts';
import type { Field, FieldKind } from './field.ts';

/** Registration and update differ in limits and codes. */
export type WriteMode = 'register' | 'update';

/** A value as stored; null clears the field. */
export type StoredValue = string | number | boolean | (string | number)[] | null;

/** The result of a check: the value to store, or invalid. */
export type Checked = { readonly valid: true; readonly value: StoredValue } | { readonly valid: false };

type Check = (value: unknown, field: Field, mode: WriteMode) => StoredValue | undefined;

const truths = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  [1, true],
  ['1', true],
  [false, false],
  ['false', false],
  [0, false],
  ['0', false],
]);

/** A boolean in any accepted spelling, or undefined. */
export function parseBoolean(value: unknown): boolean | undefined {
  return truths.get(typeof value === 'string' ? value.toLowerCase() : value);
}

/** A finite number from a JSON number or its text (also 5.0E-4), or undefined. */
export function parseNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || !/^-?\d{1,15}(\.\d+)?(e[+-]?\d{1,2})?$/i.test(value.trim()))
    return undefined;
  return Number(value);
}

/** An ISO 3166-1 alpha-2 code in upper case, or undefined. */
export function parseCountry(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^[A-Za-z]{2}$/.test(value)) return undefined;
  const code = value.toUpperCase();
  return countries.isValid(code) ? code : undefined;
}

/** The ISO 3166-1 alpha-2 code of an alpha-3 code. */
export const countryOfAlpha3 = (code: string): string | undefined => countries.alpha3ToAlpha2(code);

/** Every ISO 3166-1 alpha-2 code. */
export const countryCodes: readonly string[] = Object.keys(countries.getAlpha2Codes());

const limitsOf = (field: Field, mode: WriteMode) =>
  (mode === 'update' ? field.updateLimits : undefined) ?? field.limits ?? {};

/** A text or number as stored text: trimmed, in NFC; undefined for anything else. */
export const storedText = (value: unknown): string | undefined => {
  if (typeof value === 'number') return String(value);
  // Replaces half a surrogate pair, which clients that cut texts send.
  return typeof value === 'string' ? value.toWellFormed().normalize('NFC').trim() : undefined;
};

const text: Check = (value, field, mode) => {
  const string = storedText(value);
  if (string === undefined || string.includes('\0')) return undefined;
  const { min = 0, max = 10_000 } = limitsOf(field, mode);
  const length = isBlank(string) ? 0 : Array.from(string).length;
  return length >= min && length <= max ? string : undefined;
};

const matching =
  (pattern: RegExp): Check =>
  (value, field, mode) => {
    const string = text(value, field, mode);
    return typeof string === 'string' && pattern.test(string) ? string : undefined;
  };

const number: Check = (value, field, mode) => {
  const parsed = parseNumber(value);
  const { min = -Infinity, max = Infinity } = limitsOf(field, mode);
  return parsed !== undefined && parsed >= min && parsed <= max ? parsed : undefined;
};

const integer: Check = (value, field, mode) => {
  const parsed = number(value, field, mode);
  return Number.isInteger(parsed) ? parsed : undefined;
};

const codeOf = (field: Field, value: unknown) =>
  typeof value === 'string' || typeof value === 'number'
    ? field.values?.find(({ code }) => String(code) === String(value).trim())?.code
    : undefined;

const choice: Check = (value, field) => codeOf(field, value);

const choices: Check = (value, field) => {
  const codes = (Array.isArray(value) ? value : [value]).map((item) => codeOf(field, item));
  return codes.every((code) => code !== undefined) ? [...new Set(codes)] : undefined;
};

const keyword: Check = (value, field) =>
  typeof value === 'string' ? codeOf(field, value.toLowerCase().replaceAll('-', '_')) : undefined;

const email: Check = (value, field, mode) => {
  const string = text(value, field, mode);
  return z.email().safeParse(string).success ? string : undefined;
};

/** A date as MM/DD/YYYY; an update also takes the object that the record has. */
const dateText = (value: unknown, mode: WriteMode): unknown => {
  if (mode !== 'update' || !isMap(value)) return value;
  const [month = '', day = '', year] = [value['month'], value['day'], value['year']].map(String);
  return `${month.padStart(2, '0')}/${day.padStart(2, '0')}/${year}`;
};

const date: Check = (value, _field, mode) => {
  const given = dateText(value, mode);
  const parts = typeof given === 'string' ? /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(given.trim()) : null;
  if (!parts) return undefined;
  const iso = `${parts[3]}-${parts[1]}-${parts[2]}`;
  const time = new Date(`${iso}T00:00:00Z`);
  const exists = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(iso);
  return exists && iso >= '1900-01-01' ? iso : undefined;
};

/** Valid time zones by their spelling: a lookup takes as long as all other checks together. */
const knownZones = new Map<string, string>();

/** The canonical name of an IANA time zone; undefined for anything else. */
export function timeZoneOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 64) return undefined;
  const known = knownZones.get(value);
  if (known) return known;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions();
    if (knownZones.size < 1_000) knownZones.set(value, timeZone);
    return timeZone;
  } catch {
    return undefined;
  }
}

// Letters and digits of any script with their marks, without invisible ones.
const nameOfLetters = matching(/^(?!\p{M})[[\p{L}\p{M}\p{N}]--\p{Default_Ignorable_Code_Point}]+$/v);

/** Mixed scripts can imitate another member's name. */
const username: Check = (value, field, mode) => {
  const name = nameOfLetters(value, field, mode);
  return typeof name === 'string' && isOfOneScript(name.normalize('NFKC')) ? name : undefined;
};

const checks: Record<FieldKind, Check> = {
  text,
  username,
  email,
  // The auth service checks length and strength.
  password: (value) => (typeof value === 'string' ? value : undefined),
  country: parseCountry,
  locale: matching(/^[a-z]{2}_[A-Z]{2}$/),
  timezone: timeZoneOf,
  gender: (value) => (isGender(value) ? value : undefined),
  date,
  boolean: parseBoolean,
  integer,
  number,
  choice,
  choices,
  keyword,
};

/** Whether an empty value clears a field: not required, no setting, and without a minimum. */
export const clearable = (field: Field, mode: WriteMode): boolean =>
  !field.required && !field.setting && (field.kind === 'integer' || !limitsOf(field, mode).min);

const isEmpty = (value: unknown, kind: FieldKind): boolean =>
  value === null ||
  (typeof value === 'string' && isBlank(value)) ||
  (kind === 'choices' && Array.isArray(value) && !value.length);

/** Checks one value: limits, allowed codes, format. An empty text or list clears the field. */
export function checkValue(field: Field, value: unknown, mode: WriteMode): Checked {
  if (isEmpty(value, field.kind) && clearable(field, mode)) return { valid: true, value: null };
  const stored = checks[field.kind](value, field, mode);
  return stored === undefined ? { valid: false } : { valid: true, value: stored };
}

/** The failure code of a bad value in this field; `valueNotListed` by default. */
export function failureCodeOf(field: Field, mode: WriteMode): number {
  return field.codes?.[mode] ?? failCodes.valueNotListed;
}
