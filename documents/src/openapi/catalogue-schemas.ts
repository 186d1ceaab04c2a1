import { criteria, type Criterion } from '@covalence/contract/catalogue/criteria';
import { clearable } from '@covalence/contract/catalogue/check-value';
import type { Field } from '@covalence/contract/catalogue/field';
import { fieldByName, fields } from '@covalence/contract/catalogue/fields';
import { withinSchema } from '@covalence/search/criteria/parse-forms';
import { ref, withNames, type Schema } from './schema.ts';

type Limits = { readonly min?: number; readonly max?: number };

// JSON omits undefined values.
const lengths = ({ min, max }: Limits = {}): Schema => ({ minLength: min, maxLength: max });
const bounds = ({ min, max }: Limits = {}): Schema => ({ minimum: min, maximum: max });

const codesOf = ({ values = [] }: Field) => values.map(({ code }) => code);

const areNumbers = (codes: readonly (string | number)[]): codes is readonly number[] =>
  codes.every((code) => typeof code === 'number');

/** One of a field's codes. Numbers get no enum if possible, because generated clients would name the members `_10`. */
function codeSchema(codes: readonly (string | number)[]): Schema {
  if (!areNumbers(codes)) return { type: 'string', enum: codes };
  const [minimum, maximum] = [Math.min(...codes), Math.max(...codes)];
  const areMultiples = codes.every((code, index) => code === (index + 1) * minimum);
  return { type: 'integer', ...(areMultiples ? { minimum, maximum, multipleOf: minimum } : { enum: codes }) };
}

const kinds: Record<Field['kind'], (field: Field, limits?: Limits) => Schema> = {
  text: (_field, limits) => ({ type: 'string', ...lengths(limits) }),
  username: (_field, limits) => ({ type: 'string', ...lengths(limits), examples: ['nora7'] }),
  email: (_field, limits) => ({ type: 'string', format: 'email', ...lengths(limits) }),
  password: () => ({ type: 'string', format: 'password', minLength: 8, maxLength: 256 }),
  country: () => ({ type: 'string', pattern: '^[A-Za-z]{2}$', examples: ['US'] }),
  locale: () => ({ type: 'string', pattern: '^[a-z]{2}_[A-Z]{2}$', examples: ['en_US'] }),
  timezone: () => ({ type: 'string', examples: ['America/Chicago'] }),
  gender: () => ref('Gender'),
  date: () => ({ type: 'string', pattern: '^[0-9]{2}/[0-9]{2}/[0-9]{4}$', examples: ['04/23/1990'] }),
  boolean: () => ({ type: 'boolean' }),
  integer: (_field, limits) => ({ type: 'integer', ...bounds(limits) }),
  number: (_field, limits) => ({ type: 'number', format: 'double', ...bounds(limits) }),
  choice: (field) => codeSchema(codesOf(field)),
  choices: (field) => ({ type: 'array', items: codeSchema(codesOf(field)) }),
  // Underscores are accepted too.
  keyword: (field) =>
    withNames({ type: 'string', enum: codesOf(field).map((code) => String(code).replaceAll('_', '-')) }),
};

const meanings = ({ values = [] }: Field) => {
  const named = values.filter(({ code }) => typeof code === 'number');
  return named.length ? [named.map(({ code, labels }) => `${code} ${labels.en_US}`).join(', ')] : [];
};

const describe = (field: Field, mode: 'register' | 'update') => {
  const { labels, aliases = [], codes, moderated } = field;
  return [
    labels.en_US,
    ...meanings(field),
    ...aliases.map((alias) => `also \`${alias}\``),
    `refused with ${codes?.[mode] ?? 20901}`,
    ...(moderated ? ['moderated'] : []),
  ].join('; ');
};

const fieldSchema = (field: Field, mode: 'register' | 'update'): Schema => ({
  ...kinds[field.kind](field, (mode === 'update' && field.updateLimits) || field.limits),
  description: `${describe(field, mode)}.`,
});

/** Every field by name, with the type of its stored value. */
const storedFields: Schema = {
  type: 'object',
  description: 'Values of fields by name, as they are stored.',
  properties: Object.fromEntries(
    fields.map((field) => {
      const { type = 'string', items, format } = kinds[field.kind](field);
      const one = (items as Schema | undefined)?.['type'];
      return [
        field.name,
        { type, ...(one !== undefined && { items: { type: one } }), ...(type === 'number' && { format }) },
      ];
    }),
  ),
};

/** The fields that an operation accepts. */
const taken = (mode: 'register' | 'update') =>
  fields.filter(({ only, name }) => (!only || only === mode) && !(mode === 'update' && name === 'password'));

/** The fields of POST /members or POST /members/self by canonical name. */
export function fieldSchemas(mode: 'register' | 'update'): Readonly<Record<string, Schema>> {
  return Object.fromEntries(taken(mode).map((field) => [field.name, fieldSchema(field, mode)]));
}

/** Fields that null clears in POST /members/self. */
export const clearedFields = taken('update')
  .filter((field) => clearable(field, 'update'))
  .map(({ name }) => name);

/** Required fields of POST /members. */
export const requiredFields = fields.filter(({ required }) => required).map(({ name }) => name);

/** The class of a criterion; criteria share a few classes. */
function classOf({ name, form, codes }: Criterion): string {
  if (form === 'geolocation') return 'LocationCriterion';
  if (form === 'range') return name === 'age' ? 'AgeCriterion' : 'RangeCriterion';
  return codes && areNumbers(codes) ? 'CodeCriterion' : 'TextCriterion';
}

const valuesOf = ({ field: name, codes = [], bounds: range }: Criterion) => {
  const field = fieldByName(name ?? '');
  if (range) return [`${range[0]} to ${range[1]}`];
  if (!codes.length) return [];
  return areNumbers(codes) && field ? meanings(field) : [codes.join(', ')];
};

const criterionSchema = (criterion: Criterion): Schema => ({
  ...ref(classOf(criterion)),
  description: `${[
    criterion.form,
    ...(criterion.tier === 'platinum' ? ['for platinum members'] : []),
    ...(criterion.hard ? ['always filters'] : []),
    ...valuesOf(criterion),
  ].join('; ')}.`,
});

/** Every search criterion by name. */
export const criterionSchemas: Readonly<Record<string, Schema>> = Object.fromEntries(
  criteria.map((criterion) => [criterion.name, criterionSchema(criterion)]),
);

const general = (value: Schema, description: string): Schema => ({
  type: 'object',
  description,
  properties: { value, values: { type: 'array', items: value, minItems: 1 } },
  minProperties: 1,
});

/** Criteria that every search has. */
export const requiredCriteria = ['age'];

const end: Schema = { type: 'number', format: 'double' };

/** An end of the age. */
export const ageEnd: Schema = { ...end, minimum: 18, maximum: 120 };

const range = (one: Schema, description: string): Schema => ({
  type: 'object',
  description,
  properties: { from: one, to: one },
  minProperties: 1,
});

/** Schemas for `components`. */
export const catalogueSchemas: Readonly<Record<string, Schema>> = {
  AgeCriterion: range(ageEnd, 'Years, both ends included.'),
  RangeCriterion: range(end, 'Both ends included; an end that is left out is open.'),
  CodeCriterion: general({ type: 'integer' }, 'One code, or any of several.'),
  TextCriterion: general({ type: 'string', minLength: 1, maxLength: 255 }, 'One text, or any of several.'),
  LocationCriterion: {
    type: 'object',
    properties: {
      within: {
        ...withinSchema,
        description: 'Miles; -1 for no limit. 20, 30, 40 and 50 are for platinum members (31007).',
      },
      of: {
        type: 'string',
        description:
          'A postal code of the criterion `country`, else of the member’s country; or latitude,longitude.',
        examples: ['68502', '40.789,-96.693'],
      },
    },
    minProperties: 1,
  },
  StoredFields: storedFields,
  SearchCriteria: {
    type: 'object',
    description: 'Criteria by name, each in its form. GET /searches/questions says which the member may use.',
    properties: criterionSchemas,
  },
};
