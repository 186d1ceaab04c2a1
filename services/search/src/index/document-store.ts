import { linesOf, writeLines } from './bulk-write.ts';
import { IndexUnavailable, missing, totalOf, type Engine } from './elasticsearch-adapter.ts';
import type { MemberDocument } from './member-document.ts';

/** A stored document. */
export interface StoredDocument {
  readonly version: number;
  readonly source: unknown;
}

/** Reads and writes documents by id, for comparisons and repairs. */
export interface DocumentStore {
  /** Stored documents by member id, in real time. */
  read(ids: readonly number[], alias: string): Promise<Map<number, StoredDocument>>;
  /** Overwrites documents of the same or an older version. */
  overwrite(documents: readonly MemberDocument[], alias: string): Promise<void>;
  /** The first 1,000 visible members by id in a range that are not among `known`, and whether there are more. */
  unknownMembers(
    range: { after: number; upTo: number | undefined; known: readonly number[] },
    alias: string,
  ): Promise<{ ids: number[]; more: boolean }>;
  /** The highest id of a visible member, or 0. */
  highestId(alias: string): Promise<number>;
  /** The number of documents, hidden members included, and up to `count` random ids. */
  draw(count: number, alias: string): Promise<{ total: number; ids: number[] }>;
}

const maxUnknownMembers = 1_000;

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
    async unknownMembers({ after, upTo, known }, index) {
      const { hits } = await client
        .search({
          index,
          size: maxUnknownMembers,
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
