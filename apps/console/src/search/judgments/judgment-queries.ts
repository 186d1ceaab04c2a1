import type { components } from '@covalence/client/api';
import type { CovalenceClient } from '@covalence/client/client';
import { queryOptions } from '@tanstack/react-query';
import { dataOf } from '../../api/api.tsx';
import { settingsKey, type SettingsChange } from '../queries.ts';

type Schemas = components['schemas'];

/** A set with its searches and ratings. */
export type JudgmentSet = Schemas['StaffJudgmentSet'];

/** A search of a set. */
export type JudgedSearch = Schemas['StaffJudgedSearch'];

/** The metrics of a run. */
export type Run = Schemas['StaffJudgmentRun'];

/** The result of one search in a run. */
export type SearchResult = Schemas['StaffSearchResult'];

/** A metric of runs. */
export type Metric = keyof Schemas['SearchQuality'];

/** The metrics, as the field names them. */
export const metrics: Readonly<Record<Metric, string>> = {
  ndcg: 'nDCG@10',
  precision: 'precision@10',
  recall: 'recall@100',
  err: 'ERR@10',
  judged: 'judged@10',
};

/** The first part of the keys of everything about judgments. */
export const judgmentsKey = [...settingsKey, 'judgments'] as const;

/** The sets of the person's sites. */
export const setsQuery = (api: CovalenceClient) =>
  queryOptions({
    queryKey: [...judgmentsKey, 'sets'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/search/judgment-sets', { signal })),
  });

const at = (id: string) => ({ path: { id } });

/** One set. */
export const setQuery = (api: CovalenceClient, id: string) =>
  queryOptions({
    queryKey: [...judgmentsKey, 'set', id],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/search/judgment-sets/{id}', { params: at(id), signal })),
  });

/** The runs of a set, newest first. */
export const runsQuery = (api: CovalenceClient, id: string) =>
  queryOptions({
    queryKey: [...judgmentsKey, 'runs', id],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/staff/search/judgment-sets/{id}/runs', { params: at(id), signal })),
  });

/** One run, and what moved since another one. */
export const runQuery = (api: CovalenceClient, id: string, runid: string, against: string | undefined) =>
  queryOptions({
    queryKey: [...judgmentsKey, 'run', runid, against],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/staff/search/judgment-sets/{id}/runs/{runid}', {
          params: { path: { id, runid }, query: { against } },
          signal,
        }),
      ),
    staleTime: Infinity,
  });

/** All settings of a run: those that were in force, with what it changed; null without a run. */
export const runSettingsQuery = (api: CovalenceClient, id: string, runid: string | undefined) =>
  queryOptions({
    queryKey: [...judgmentsKey, 'settings', runid],
    queryFn: async ({ signal }): Promise<SettingsChange | null> => {
      if (runid === undefined) return null;
      const run = await dataOf(
        api.GET('/staff/search/judgment-sets/{id}/runs/{runid}', { params: { path: { id, runid } }, signal }),
      );
      const { languages, relevance } = await dataOf(
        api.GET('/staff/search/settings', { params: { query: { version: run.version } }, signal }),
      );
      return { languages, relevance, ...run.settings };
    },
    staleTime: Infinity,
  });
