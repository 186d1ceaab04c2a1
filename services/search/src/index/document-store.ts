import { linesOf, writeLines } from './bulk-write.ts';
import { IndexUnavailable, missing, totalOf, type Engine } from './elasticsearch-adapter.ts';
import type { MemberDocument } from './member-document.ts';

/** A document as an index has it. */
export interface KeptDocument {
  readonly version: number;
  readonly source: unknown;
}

/** Documents of an alias read and written one by one, for comparisons and repairs. */
export interface DocumentStore {
  /** Those that are there, by member id; writes count at once, without a refresh. */
  read(ids: readonly number[], alias: string): Promise<Map<number, KeptDocument>>;
  /** Writes over documents of the same or an older version. */
  overwrite(documents: readonly MemberDocument[], alias: string): Promise<void>;
  /**
   * Visible members above `after`, up to `upTo` where there is one, that are not among `known`, by id; the first 1,000, and
   * whether there are `more`.
   */
  strangers(
    range: { after: number; upTo: number | undefined; known: readonly number[] },
    alias: string,
  ): Promise<{ ids: number[]; more: boolean }>;
  /** The highest id of a visible member, 0 where there is none. */
  highestId(alias: string): Promise<number>;
  /** How many documents there are, hidden members' too, and the ids of up to `count` of them, drawn by lot. */
  draw(count: number, alias: string): Promise<{ total: number; ids: number[] }>;
}

const mostStrangers = 1_000;

/** Creates the store. */
export function createDocumentStore({ client, writer }: Engine): DocumentStore {
  return {
    async read(ids, index) {
      if (!ids.length) return new Map();
      const { docs } = await client.mget({ index, ids: ids.map(String) }).catch(missing(index));
      const found = docs.flatMap((doc) => {
        if ('error' in doc)
          throw new IndexUnavailable(`${index} does not give ${doc._id}: ${doc.error.reason}`);
        if (!doc.found) return [];
        return [[Number(doc._id), { version: doc._version ?? 0, source: doc._source }] as const];
      });
      return new Map(found);
    },
    overwrite: (documents, index) => writeLines(writer, index, linesOf(documents, 'external_gte')),
    async strangers({ after, upTo, known }, index) {
      const { hits } = await client
        .search({
          index,
          size: mostStrangers,
          track_total_hits: true,
          _source: false,
          sort: [{ id: 'asc' }],
          query: {
            bool: {
              filter: [
                { term: { visible: true } },
                { range: { id: { gt: after, ...(upTo !== undefined && { lte: upTo }) } } },
              ],
              must_not: { terms: { id: [...known] } },
            },
          },
        })
        .catch(missing(index));
      const ids = hits.hits.map(({ _id }) => Number(_id));
      return { ids, more: totalOf(hits.total) > ids.length };
    },
    async highestId(index) {
      const { hits } = await client
        .search({
          index,
          size: 1,
          _source: false,
          query: { term: { visible: true } },
          sort: [{ id: 'desc' }],
        })
        .catch(missing(index));
      return Number(hits.hits[0]?._id ?? 0);
    },
    async draw(count, index) {
      const { hits } = await client
        .search({
          index,
          size: count,
          _source: false,
          track_total_hits: true,
          query: { function_score: { functions: [{ random_score: {} }] } },
        })
        .catch(missing(index));
      return { total: totalOf(hits.total), ids: hits.hits.map(({ _id }) => Number(_id)) };
    },
  };
}
