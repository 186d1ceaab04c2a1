import type { Position } from '@covalence/contract/position';
import type { Logger } from '@covalence/runtime/logger';
import type { estypes } from '@elastic/elasticsearch';
import { writeDocuments, writeLimitMs } from './bulk-write.ts';
import { isTimeout, missing, totalOf, type ElasticsearchClients } from './elasticsearch-adapter.ts';
import type { MemberDocument } from './member-document.ts';

/** Searches and writes members behind the aliases. */
export type MemberIndex = ReturnType<typeof createMemberIndex>;

/** The aliases of a namespace: the index that is searched, the one being built, the one kept for a rollback, and the one that staff try a mapping with. */
export const aliasesOf = (namespace: string) => ({
  live: `${namespace}-members`,
  building: `${namespace}-members-building`,
  previous: `${namespace}-members-previous`,
  shadow: `${namespace}-members-shadow`,
});

/** The version of the deletion of an erased member: higher than any late write. */
const afterAll = Number.MAX_SAFE_INTEGER;

const toTenth = (degrees: number) => Math.round(degrees * 10) / 10;

/** Creates the store of member documents. */
export function createMemberIndex(
  { client, writer, attemptMs }: ElasticsearchClients,
  namespace: string,
  logger: Logger,
) {
  const { live, building, previous, shadow } = aliasesOf(namespace);

  const attempt = attemptMs === undefined ? {} : { requestTimeout: attemptMs };

  /** Repeats a search whose time limit expired: by another host, which does not wait for a copy of the index that hangs. */
  const again = (request: estypes.SearchRequest) => (error: unknown) => {
    if (attemptMs === undefined || !isTimeout(error)) throw error;
    return client.search({ ...request, preference: '_local' }, attempt);
  };

  /** Runs a search, by default of the live index. Throws an error that answers 503 while Elasticsearch or the index is unavailable. */
  const search = async (
    request: estypes.SearchRequest,
    of: string = live,
  ): Promise<{ total: number; hits: readonly estypes.SearchHit[] }> => {
    const ofIndex = { ...request, index: of };
    const { hits } = await client
      .search(ofIndex, attempt)
      .catch(again(ofIndex))
      // A host without a copy of its own may ask the same one that hangs.
      .catch(again(ofIndex))
      .catch(missing(of));
    // Elasticsearch omits the list when nothing is found.
    const found: Partial<typeof hits> = hits;
    return { total: totalOf(found.total), hits: found.hits ?? [] };
  };

  return {
    search,
    /** The ids of the members that a query finds, lowest first, in pages of a size. */
    async *idPages(query: estypes.QueryDslQueryContainer, size: number): AsyncGenerator<number[]> {
      for (let after: number[] | undefined; ;) {
        const { hits } = await search({
          query,
          size,
          sort: [{ id: 'asc' }],
          _source: false,
          stored_fields: '_none_',
          ...(after && { search_after: after }),
        });
        const ids = hits.map(({ sort }) => Number(sort?.[0]));
        yield ids;
        if (ids.length < size) return;
        after = ids.slice(-1);
      }
    },
    /** Writes documents to an alias, by default the live one. A document with the same or a newer version stays. */
    async write(documents: readonly MemberDocument[], to: string = live): Promise<void> {
      await writeDocuments(writer, { documents, to: [to] });
    },
    /** Writes to every index; only the previous one may refuse documents, which a rollback repairs, and the shadow. */
    async writeAll(documents: readonly MemberDocument[]): Promise<void> {
      // Read after the events arrived: a rebuild that starts later reads the change itself.
      const found = await client.indices.getAlias({ name: `${live}-*` });
      const beside = new Set(Object.values(found).flatMap(({ aliases }) => Object.keys(aliases)));
      const to = [live, ...[building, previous, shadow].filter((alias) => beside.has(alias))];
      const refused = await writeDocuments(writer, { documents, to }, [previous, shadow]);
      for (const alias of refused) logger.warn({ alias }, 'an index beside the live one missed a change');
    },
    /** Deletes an erased member from every index. Writes that are late by up to a minute have no effect. */
    async remove(id: number): Promise<void> {
      const found = await client.indices.getAlias({ name: `${live}*` });
      for (const index of Object.keys(found)) {
        await writer.delete(
          { index, id: String(id), version: afterAll, version_type: 'external_gte' },
          { ignore: [404], requestTimeout: writeLimitMs },
        );
      }
    },
    /**
     * The centroid of the visible members of a postal code, or null. Rounded to a tenth of a degree, because clients see it (match
     * criteria v1) and a code may have one member.
     */
    async centroidOf(zip: string, country: string): Promise<Position | null> {
      const { aggregations } = await client
        .search<unknown, { center: estypes.AggregationsGeoCentroidAggregate }>({
          index: live,
          size: 0,
          track_total_hits: false,
          query: {
            bool: { filter: [{ term: { visible: true } }, { term: { zip } }, { term: { country } }] },
          },
          aggs: { center: { geo_centroid: { field: 'position' } } },
        })
        .catch(missing(live));
      const location = aggregations?.center.location;
      return location && typeof location === 'object' && 'lat' in location
        ? { lat: toTenth(location.lat), lon: toTenth(location.lon) }
        : null;
    },
  };
}
