import type { components } from '@covalence/client/api';
import type { CovalenceClient } from '@covalence/client/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { dataOf } from '../api/api.tsx';

type Schemas = components['schemas'];

/** The settings of the ranking. */
export type Relevance = Schemas['SearchRelevance'];

/** The published settings, and the versions before. */
export type SearchSettings = Schemas['StaffSearchSettings'];

/** The newest version, after which a change is published; 0 before any. */
export const newestOf = ([newest]: SearchSettings['versions']): number => newest?.version ?? 0;

/** Synonyms, stemmers and protected words by language. */
export type Languages = SearchSettings['languages'];

/** Changed parts of the settings. Null: the ranking of the file of the service. */
export interface SettingsChange {
  readonly relevance?: Relevance | null;
  readonly languages?: Languages;
}

/** A search as a member, and the settings that it is tried with. */
export type ComparisonRequest = Schemas['CompareStaffSearchRequest'];

/** The index of members, or the one that tries another mapping. */
export type Searched = NonNullable<ComparisonRequest['index']>;

/** The results under both settings. */
export type Comparison = Schemas['StaffSearchComparison'];

/** The results under one of two settings. */
export type Variant = Schemas['ComparedVariant'];

/** A part of the order among equals. */
export type ComparedPart = Schemas['ComparedEquals']['part'];

/** A member among the results. */
export type ComparedMember = Schemas['ComparedMember'];

/** The pages follow a changed weight within a second. */
export const followsAfterMs = 250;

/** The first part of the keys of everything that a publication changes. */
export const settingsKey = ['search'] as const;

/** The state of the search index. */
export const indexQuery = (api: CovalenceClient) =>
  queryOptions({
    queryKey: [...settingsKey, 'index'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/search/index', { signal })),
  });

/** The settings in force, or those of a version, and the list of versions. */
export const settingsQuery = (api: CovalenceClient, version?: number) =>
  queryOptions({
    queryKey: [...settingsKey, 'settings', version],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/staff/search/settings', { params: { query: { version } }, signal })),
  });

/** One search under two settings; the former results stay until new ones are there. */
export const comparisonQuery = (api: CovalenceClient, body: ComparisonRequest | undefined) =>
  queryOptions({
    queryKey: [...settingsKey, 'comparison', body],
    queryFn: ({ signal }) =>
      body ? dataOf(api.POST('/staff/search/comparisons', { body, signal })) : Promise.resolve(null),
    enabled: body !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
