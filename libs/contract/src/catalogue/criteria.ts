import { zodiacSigns } from '../members/zodiac.ts';
import type { Field, FieldCriterion } from './field.ts';
import { fieldByName, fields } from './fields.ts';

/** A search criterion: of a field, or derived from the member (age, location, photo …). */
export interface Criterion extends FieldCriterion {
  readonly name: string;
  /** Allowed codes of a general criterion; any string or number without them. */
  readonly codes?: readonly (string | number)[];
  /** The field whose values it matches; absent for derived criteria. */
  readonly field?: string;
  /** Only on sites that show the zodiac. */
  readonly zodiac?: true;
}

/** Values of `last_active`, in days. */
const lastActiveDays = [1, 3, 7, 14, 30, 90] as const;

const truths = ['true', 'false'] as const;

const codesOf = ({ kind, values }: Field): readonly (string | number)[] | undefined =>
  kind === 'boolean' ? truths : values?.map(({ code }) => code);

const criterionOf = (field: Field, name = field.name): Criterion[] => {
  if (!field.criterion) return [];
  const codes = codesOf(field);
  return [{ name, field: field.name, ...field.criterion, ...(codes && { codes }) }];
};

/** The record's `mood` is this personality field. */
const moodField = fieldByName('p_mood');

/** Criteria that no single field holds. */
const derivedCriteria: readonly Criterion[] = [
  { name: 'age', form: 'range', tier: 'basic', weight: 4, hard: true, bounds: [18, 120] },
  { name: 'location', form: 'geolocation', tier: 'basic', weight: 3 },
  { name: 'zipcode', field: 'zip', form: 'general', tier: 'basic', weight: 2, hard: true },
  { name: 'photo', form: 'general', tier: 'basic', weight: 1, preference: true, codes: truths },
  { name: 'new', form: 'general', tier: 'basic', weight: 1, codes: truths },
  { name: 'keywords', form: 'general', tier: 'basic', weight: 2, text: true },
  ...(moodField ? criterionOf(moodField, 'mood') : []),
  { name: 'zodiac', form: 'general', tier: 'platinum', weight: 1, codes: zodiacSigns, zodiac: true },
  {
    name: 'last_active',
    form: 'general',
    tier: 'platinum',
    weight: 1,
    preference: true,
    codes: lastActiveDays,
  },
];

/** The first criteria in the order of the interface; the others follow in the order of the catalogue. */
const leading = ['age', 'location', 'zipcode', 'state', 'country', 'online', 'photo', 'new'];

const rank = ({ name }: Criterion) => {
  const position = leading.indexOf(name);
  return position === -1 ? leading.length : position;
};

/** Every criterion that a search may name, in the order in which failure codes are reported. */
export const criteria: readonly Criterion[] = [
  ...derivedCriteria,
  ...fields.flatMap((field) => criterionOf(field)),
].sort((one, other) => rank(one) - rank(other));

const byName = new Map(criteria.map((criterion) => [criterion.name, criterion]));

/** The criterion of a canonical name. */
export function criterionByName(name: string): Criterion | undefined {
  return byName.get(name);
}

const isKeywordText = ({ name, group }: Field) =>
  name === 'headline' || name === 'about_me' || group === 'favorite' || group === 'question';

/** Names of the fields whose texts the criterion `keywords` searches. */
export const keywordFields: readonly string[] = fields.filter(isKeywordText).map(({ name }) => name);

/** Fields with their own column in the search projection; the others are in `traits`. */
const projectionColumns = new Set(['state', 'country', 'online']);

/** Names of the fields in `traits` of a search projection: those of the criteria and of `keywords`. */
export const projectedTraits: readonly string[] = fields
  .filter((field) => (field.criterion && !projectionColumns.has(field.name)) || isKeywordText(field))
  .map(({ name }) => name);
