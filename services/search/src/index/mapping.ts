import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  criteria,
  keywordFields,
  projectedTraits,
  type Criterion,
} from '@covalence/contract/catalogue/criteria';
import type { estypes } from '@elastic/elasticsearch';
import { z } from 'zod';

/** Raised where the same columns mean something else, so that an index of before counts as outdated. 2: displaced positions. */
const contents = 2;

const property = z.looseObject({ type: z.string() });

const traitKinds = ['coded', 'range', 'text'] as const;

/** The mapping file of the search team; docs/search.md explains each entry. */
export const mappingFileSchema = z.strictObject({
  /** Raised by one with every change that needs a rebuild. */
  version: z.int().positive(),
  /** Settings of the index: shards, refresh, analysis. */
  settings: z.looseObject({ analysis: z.looseObject({}) }),
  /** The member's own columns. */
  properties: z.record(z.string(), property),
  /** How the catalogue's fields are mapped, by kind; `overrides` by field name. */
  traits: z.strictObject({
    coded: property,
    range: property,
    text: property,
    overrides: z.record(z.string(), property),
  }),
});

/** What an index is created with. */
export interface IndexMapping {
  readonly version: number;
  /** Changes with anything in the mapping, the catalogue or the meaning of documents that an existing index would not have. */
  readonly fingerprint: string;
  readonly settings: estypes.IndicesIndexSettings;
  readonly properties: Record<string, estypes.MappingProperty>;
}

/** Columns that criteria without a field of their own are matched by. */
const requiredColumns = [
  'id',
  'visible',
  'siteid',
  'group',
  'world_plus',
  'gender',
  'gender_preference',
  'date_of_birth',
  'zodiac',
  'position',
  'country',
  'state',
  'zip',
  'photo',
  'joined',
  'last_seen',
  'offline',
  'platinum_until',
  'platinum_day',
  'keywords',
];

const kindOf = ({ form, text }: Criterion): (typeof traitKinds)[number] =>
  form === 'range' ? 'range' : text ? 'text' : 'coded';

/**
 * The whole mapping from the file and the catalogue: every criterion field has an entry, so that adding a field is one
 * entry in the catalogue. Throws where the file names a field that the catalogue does not know or lacks a column.
 */
export function readMapping(path: string | URL): IndexMapping {
  const { version, settings, properties, traits } = mappingFileSchema.parse(
    JSON.parse(readFileSync(path, 'utf8')),
  );
  const ofFields = criteria.filter(({ field, name }) => field === name && projectedTraits.includes(name));
  const names = new Set(ofFields.map(({ name }) => name));
  const problems = [
    ...requiredColumns.filter((column) => !(column in properties)).map((column) => `lacks ${column}`),
    ...Object.keys(traits.overrides)
      .filter((name) => !names.has(name))
      .map((name) => `overrides ${name}, which is no criterion field`),
  ];
  if (problems.length) throw new Error(`the mapping file ${problems.join('; ')}`);
  const mapped = Object.fromEntries(
    ofFields.map((criterion) => [
      criterion.name,
      traits.overrides[criterion.name] ?? traits[kindOf(criterion)],
    ]),
  );
  const all = { ...properties, traits: { type: 'object', dynamic: false, properties: mapped } };
  const facts = JSON.stringify([settings, all, keywordFields, contents]);
  return {
    version,
    fingerprint: createHash('sha256').update(facts).digest('hex').slice(0, 16),
    settings,
    properties: all as Record<string, estypes.MappingProperty>,
  };
}
