import { criteria, type Criterion } from '@covalence/contract/catalogue/criteria';
import type { Field } from '@covalence/contract/catalogue/field';
import { fields } from '@covalence/contract/catalogue/fields';
import { ref, type Schema } from './schema.ts';

/** Schemas that the field catalogue makes: the fields of spec 2.8 and the criteria of spec 4.6. */

type Limits = { readonly min?: number; readonly max?: number };

const lengths = ({ min, max }: Limits = {}): Schema => ({
  ...(min !== undefined && { minLength: min }),
  ...(max !== undefined && { maxLength: max }),
});

const bounds = ({ min, max }: Limits = {}): Schema => ({
  ...(min !== undefined && { minimum: min }),
  ...(max !== undefined && { maximum: max }),
});

const codesOf = ({ values = [] }: Field) => values.map(({ code }) => code);

const truth: Schema = { type: 'boolean' };

const kinds: Record<Field['kind'], (field: Field, limits?: Limits) => Schema> = {
  text: (_field, limits) => ({ type: 'string', ...lengths(limits) }),
  username: (_field, limits) => ({ type: 'string', ...lengths(limits), examples: ['nora7'] }),
  email: (_field, limits) => ({ type: 'string', format: 'email', ...lengths(limits) }),
  password: () => ({ type: 'string', format: 'password', minLength: 8, maxLength: 256 }),
  country: () => ({ type: 'string', pattern: '^[A-Za-z]{2}$', examples: ['US'] }),
  locale: () => ({ type: 'string', pattern: '^[a-z]{2}_[A-Z]{2}$', examples: ['en_US'] }),
  timezone: () => ({ type: 'string', examples: ['America/Chicago'] }),
  gender: () => ({ type: 'string', enum: ['Male', 'Female'] }),
  date: () => ({ type: 'string', pattern: '^[0-9]{2}/[0-9]{2}/[0-9]{4}$', examples: ['04/23/1990'] }),
  boolean: () => truth,
  integer: (_field, limits) => ({ type: 'integer', ...bounds(limits) }),
  number: (_field, limits) => ({ type: 'number', ...bounds(limits) }),
  choice: (field) => ({ enum: codesOf(field) }),
  choices: (field) => ({ type: 'array', items: { enum: codesOf(field) } }),
  keyword: (field) => ({ type: 'string', enum: codesOf(field).flatMap((code) => spellings(String(code))) }),
};

/** An input takes hyphens and underscores (D13). */
const spellings = (code: string) => (code.includes('_') ? [code.replaceAll('_', '-'), code] : [code]);

const describe = ({ labels, aliases = [], codes, moderated }: Field, mode: 'register' | 'update') =>
  [
    labels.en_US,
    ...aliases.map((alias) => `also \`${alias}\``),
    `refused with ${codes?.[mode] ?? 20901}`,
    ...(moderated ? ['moderated'] : []),
  ].join('; ');

const fieldSchema = (field: Field, mode: 'register' | 'update'): Schema => ({
  ...kinds[field.kind](field, (mode === 'update' && field.updateLimits) || field.limits),
  description: `${describe(field, mode)}.`,
});

/** The parameters that an operation takes of the catalogue. */
const taken = (mode: 'register' | 'update') =>
  fields.filter(({ only, name }) => (!only || only === mode) && !(mode === 'update' && name === 'password'));

/** Every field that POST /members or POST /members/self takes, by canonical name. */
export function fieldSchemas(mode: 'register' | 'update'): Readonly<Record<string, Schema>> {
  return Object.fromEntries(taken(mode).map((field) => [field.name, fieldSchema(field, mode)]));
}

/** Fields without which POST /members refuses. */
export const requiredFields = fields.filter(({ required }) => required).map(({ name }) => name);

const value: Schema = { type: ['string', 'number'] };

const one = (values: Schema): Schema => ({
  type: 'object',
  properties: { value: values, values: { type: 'array', items: values, minItems: 1 } },
  minProperties: 1,
});

const formOf: Record<Criterion['form'], (criterion: Criterion) => Schema> = {
  general: ({ codes }) => one(codes ? { enum: codes } : value),
  range: ({ bounds: [minimum, maximum] = [0, 1_000] }) => ({
    type: 'object',
    properties: { from: { type: 'number', minimum, maximum }, to: { type: 'number', minimum, maximum } },
    minProperties: 1,
  }),
  geolocation: () => ref('LocationCriterion'),
};

const criterionSchema = (criterion: Criterion): Schema => ({
  ...formOf[criterion.form](criterion),
  description: `${criterion.form}${criterion.tier === 'platinum' ? '; for platinum members' : ''}${criterion.hard ? '; always filters' : ''}.`,
});

/** Every criterion of spec 4.6 by name. */
export const criterionSchemas: Readonly<Record<string, Schema>> = Object.fromEntries(
  criteria.map((criterion) => [criterion.name, criterionSchema(criterion)]),
);

/** Schemas for `components`. */
export const catalogueSchemas: Readonly<Record<string, Schema>> = {
  LocationCriterion: {
    type: 'object',
    properties: {
      within: {
        description: 'Miles; -1 for no limit. 20, 30, 40 and 50 are for platinum members (31007).',
        enum: [-1, 20, 30, 40, 50, 150, 500, 1000],
      },
      of: {
        type: 'string',
        description: 'A postal code of the member’s country, or latitude,longitude.',
        examples: ['68502', '40.789,-96.693'],
      },
    },
    minProperties: 1,
  },
  SearchCriteria: {
    type: 'object',
    description:
      'Criteria by name, each in its form (spec 4.6). GET /searches/questions says which the member may use.',
    properties: criterionSchemas,
  },
};
