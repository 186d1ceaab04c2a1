import type { estypes } from '@elastic/elasticsearch';
import { writeDocuments } from './bulk-write.ts';
import { IndexUnavailable, missing, totalOf, type ElasticsearchClients } from './elasticsearch-adapter.ts';
import type { MemberDocument } from './member-document.ts';

/** A stored document. */
export interface StoredDocument {
  readonly version: number;
  readonly source: unknown;
}

/** Reads and writes documents by id, for comparisons and repairs. */
export type DocumentStore = ReturnType<typeof createDocumentStore>;

const maxUnknownMembers = 1_000;

/** Creates the store. */
export function createDocumentStore({ client, writer }: ElasticsearchClients) {
  const searchIds = async (index: string, request: estypes.SearchRequest) => {
    const { hits } = await client.search({ index, _source: false, ...request }).catch(missing(index));
    return { total: totalOf(hits.total), ids: hits.hits.map(({ _id }) => Number(_id)) };
  };

  return {
    /** Returns stored documents by member id, in real time; only these columns of them, if any are named. */
    async read(
      ids: readonly number[],
      index: string,
      columns: readonly string[] = [],
    ): Promise<Map<number, StoredDocument>> {
      if (!ids.length) return new Map();
      const { docs } = await client
        .mget({
          index,
          ids: ids.map(String),
          ...(columns.length && { _source_includes: [...columns] }),
        })
        .catch(missing(index));
      const found = docs.flatMap((doc) => {
        if ('error' in doc)
          throw new IndexUnavailable(`${index} does not give ${doc._id}: ${doc.error.reason}`);
        if (!doc.found) return [];
        return [[Number(doc._id), { version: doc._version ?? 0, source: doc._source }] as const];
      });
      return new Map(found);
    },
    /** Overwrites documents of the same or an older version. */
    async overwrite(documents: readonly MemberDocument[], alias: string): Promise<void> {
      await writeDocuments(writer, { documents, to: [alias], versionType: 'external_gte' });
    },
    /** The first 1,000 visible members by id in a range that are not among `known`, and whether there are more. */
    async unknownMembers(
      { after, upTo, known }: { after: number; upTo: number | undefined; known: readonly number[] },
      index: string,
    ): Promise<{ ids: number[]; more: boolean }> {
      const { total, ids } = await searchIds(index, {
        size: maxUnknownMembers,
        track_total_hits: true,
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
      });
      return { ids, more: total > ids.length };
    },
    /** The highest id of a visible member, or 0. */
    async highestId(index: string): Promise<number> {
      const query = { term: { visible: true } };
      const { ids } = await searchIds(index, { size: 1, query, sort: [{ id: 'desc' }] });
      return ids[0] ?? 0;
    },
    /** The number of documents, hidden members included, and up to `count` random ids. */
    draw: (count: number, index: string) =>
      searchIds(index, {
        size: count,
        track_total_hits: true,
        query: { function_score: { functions: [{ random_score: {} }] } },
      }),
  };
}
