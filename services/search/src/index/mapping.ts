import {
  criteria,
  keywordFields,
  projectedTraits,
  type Criterion,
} from '@covalence/contract/catalogue/criteria';
import { projectionSchema } from '@covalence/contract/search-projection';
import type { estypes } from '@elastic/elasticsearch';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Increased when the same columns get another meaning, so that existing indices count as outdated. */
const contents = 2;

const property = z.looseObject({ type: z.string() });

/** The mapping file of the search team; docs/search.md explains each entry. */
export const mappingFileSchema = z.strictObject({
  /** Increased with every change that needs a rebuild. */
  version: z.int().positive(),
  /** Settings of the index: shards, refresh, analysis. */
  settings: z.looseObject({ analysis: z.looseObject({}) }),
  /** The member's own columns. */
  properties: z.record(z.string(), property),
  /** The mapping of the catalogue's fields by kind; `overrides` by field name. */
  traits: z.strictObject({
    coded: property,
    range: property,
    text: property,
    overrides: z.record(z.string(), property),
  }),
});

/** Mapping and settings for creating an index. */
export interface IndexMapping {
  readonly version: number;
  /** Changes with the mapping, the catalogue, or the meaning of documents. */
  readonly fingerprint: string;
  readonly settings: estypes.IndicesIndexSettings;
  readonly properties: Record<string, estypes.MappingProperty>;
}

/** Columns of a document that criteria without a field of their own match, and those of the order among equals. */
const requiredColumns = [
  ...Object.keys(
    projectionSchema.omit({ version: true, deleted: true, recorded: true, was_hidden: true, traits: true })
      .shape,
  ),
  'zodiac',
  'platinum_day',
  'answers',
  'draw',
  'keywords',
];

const kindOf = ({ form, text }: Criterion) => (form === 'range' ? 'range' : text ? 'text' : 'coded');

/**
 * Builds the mapping from the file and the catalogue: every criterion field has an entry. Throws if the file lacks a column or
 * names a field that the catalogue does not know.
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
