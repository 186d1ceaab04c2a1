import type { estypes } from '@elastic/elasticsearch';
import { standardForms, type Stems } from '../analysis/analysis.ts';
import type { IndexMapping } from './mapping.ts';

/** Reads the sub-fields that the version in force needs; rejects while MongoDB is down. */
export type ReadStems = () => Promise<readonly Stems[]>;

/** The analyzer of words, to which stemmers are added. */
const wordsAnalyzer = 'folded_words';

interface Analysis {
  readonly filter?: Record<string, object>;
  readonly analyzer?: Record<string, { readonly filter?: readonly string[] }>;
}

type Property = estypes.MappingProperty;

/** Adds a sub-field for each of the stems, next to each one that is named `forms`. */
function withForms(property: Property, stems: readonly Stems[]): Property {
  const nested = 'properties' in property && property.properties;
  if (nested) return { ...property, properties: mapProperties(nested, stems) };
  const forms = 'fields' in property ? property.fields?.[standardForms] : undefined;
  if (!forms) return property;
  const more = Object.fromEntries(stems.map(({ name }) => [name, { ...forms, analyzer: name }]));
  return { ...property, fields: { ...property.fields, ...more } };
}

const mapProperties = (properties: Record<string, Property>, stems: readonly Stems[]) =>
  Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, withForms(one, stems)]));

/** The settings and properties of an index that has these stems beside those of the mapping file. */
export function withStems(
  { settings, properties }: IndexMapping,
  stems: readonly Stems[],
): Pick<IndexMapping, 'settings' | 'properties'> {
  if (!stems.length) return { settings, properties };
  const { filter = {}, analyzer = {} } = settings.analysis as Analysis;
  const words = analyzer[wordsAnalyzer];
  if (!words)
    throw new Error(`the mapping file lacks the analyzer ${wordsAnalyzer}, which stems are added to`);
  const added = stems.map(({ name, stemmer, protected: keywords }) => {
    const filters = {
      ...(keywords.length > 0 && { [`${name}_protected`]: { type: 'keyword_marker', keywords } }),
      [`${name}_stemmer`]: { type: 'snowball', language: stemmer },
    };
    return {
      name,
      filters,
      analyzer: { ...words, filter: [...(words.filter ?? []), ...Object.keys(filters)] },
    };
  });
  const analysis = {
    ...(settings.analysis as object),
    filter: Object.assign({ ...filter }, ...added.map(({ filters }) => filters)) as object,
    analyzer: { ...analyzer, ...Object.fromEntries(added.map((one) => [one.name, one.analyzer])) },
  };
  return {
    settings: { ...settings, analysis } as estypes.IndicesIndexSettings,
    properties: mapProperties(properties, stems),
  };
}

/** Names of the sub-fields that an index lacks. */
export const missingStems = (needed: readonly Stems[], present: readonly string[]): string[] =>
  needed.flatMap(({ name }) => (present.includes(name) ? [] : [name]));
