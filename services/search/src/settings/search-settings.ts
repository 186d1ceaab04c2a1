import type { Sites } from '@covalence/contract/sites';
import { z } from 'zod';
import { analysisSchema, compileAnalysis, type Analysis } from '../analysis/analysis.ts';
import {
  relevanceSchema,
  type RelevanceFile,
  type RelevanceSettings,
} from '../relevance/relevance-settings.ts';

/** Content that the search team publishes by version; docs/search.md explains it. */
const contentSchema = analysisSchema.extend({
  /** Settings of the ranking; null for those of RELEVANCE_FILE. */
  relevance: relevanceSchema.nullable(),
});

/** The content of a version. */
export type SettingsContent = z.output<typeof contentSchema>;

/** The parts that a publication changes; the others stay in force. */
export const settingsChange = contentSchema
  .partial()
  .refine(
    ({ languages, relevance }) => languages !== undefined || relevance !== undefined,
    'has neither languages nor relevance',
  );

/** A published or tried change. */
export type SettingsChange = z.output<typeof settingsChange>;

/** A file to publish: the change, and the version that it was made from, if `publish` is to compare it. */
export const settingsFile = settingsChange.safeExtend({ version: z.int().min(0).optional() });

/**
 * Reads the stored content of a version, perhaps of another release. Parts that a newer release added are
 * left out; undefined if this one does not understand the rest.
 */
export function readStored(stored: unknown): SettingsContent | undefined {
  const { success, data, error } = contentSchema.safeParse(stored);
  if (success) return data;
  const known: unknown = structuredClone(stored);
  for (const issue of error.issues) {
    if (issue.code !== 'unrecognized_keys') return undefined;
    const part = issue.path.reduce<unknown>((value, key) => Reflect.get(value as object, key), known);
    for (const key of issue.keys) Reflect.deleteProperty(part as object, key);
  }
  return contentSchema.safeParse(known).data;
}

/** Version 0, before anything was published: no synonyms, the stems of the mapping, and RELEVANCE_FILE. */
export const noContent: SettingsContent = { languages: {}, relevance: null };

/** A version as searches use it. */
export interface SearchSettings {
  readonly version: number;
  readonly content: SettingsContent;
  readonly analysis: Analysis;
  readonly relevance: RelevanceSettings;
}

/** The settings of RELEVANCE_FILE in the form in which they are published. */
export function ofFile({ version: _version, ...relevance }: RelevanceFile): RelevanceSettings {
  return relevance;
}

/** Compiles the content of a version. */
export const compileSettings = (
  version: number,
  content: SettingsContent,
  file: RelevanceSettings,
): SearchSettings => ({
  version,
  content,
  analysis: compileAnalysis(content),
  relevance: content.relevance ?? file,
});

/** Sites that relevance settings name although they do not exist. */
export const unknownSites = (relevance: RelevanceSettings, sites: Sites): string[] =>
  Object.keys(relevance.sites).filter((siteid) => !sites.has(Number(siteid)));
