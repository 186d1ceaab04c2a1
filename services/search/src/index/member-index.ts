import type { Logger } from '@covalence/runtime/logger';
import type { estypes } from '@elastic/elasticsearch';
import { linesOf, writeLimitMs, writeLines } from './bulk-write.ts';
import { missing, totalOf, type Engine } from './elasticsearch-adapter.ts';
import type { MemberDocument } from './member-document.ts';

/** A page of hits and how many there are in all. */
export interface SearchAnswer {
  readonly total: number;
  readonly hits: readonly estypes.SearchHit[];
}

/** Searches and writes members behind the aliases. */
export interface MemberIndex {
  /** Runs a search. Throws an error that answers 503 while Elasticsearch or the index is unavailable. */
  search(request: estypes.SearchRequest): Promise<SearchAnswer>;
  /** Writes documents to an alias, by default the live one. A document with the same or a newer version stays. */
  write(documents: readonly MemberDocument[], to?: string): Promise<void>;
  /** Writes to the live index, to the one being built, and to the one kept for a rollback, which may fail: a rollback repairs it. */
  writeAll(documents: readonly MemberDocument[]): Promise<void>;
  /** Deletes an erased member from every index. Writes that are late by up to a minute have no effect. */
  remove(id: number): Promise<void>;
  /**
   * The centroid of the visible members of a postal code, or null. Rounded to a tenth of a degree, because clients see it (match
   * criteria v1) and a code may have one member.
   */
  centroidOf(zip: string, country: string): Promise<{ lat: number; lon: number } | null>;
}

/** The aliases of a namespace: the index that is searched, the one being built, and the one kept for a rollback. */
export const aliasesOf = (
  namespace: string,
): { readonly live: string; readonly building: string; readonly previous: string } => ({
  live: `${namespace}-members`,
  building: `${namespace}-members-building`,
  previous: `${namespace}-members-previous`,
});

/** The version of the deletion of an erased member: higher than any late write. */
const afterAll = Number.MAX_SAFE_INTEGER;

/** The hits of a response; Elasticsearch omits the list when nothing is found. */
interface FoundHits {
  readonly total?: estypes.SearchHitsMetadata['total'];
  readonly hits?: readonly estypes.SearchHit[] | undefined;
}

const answerOf = ({ total, hits = [] }: FoundHits): SearchAnswer => ({ total: totalOf(total), hits });

const toTenth = (degrees: number) => Math.round(degrees * 10) / 10;

/** Creates the store of member documents. */
export function createMemberIndex(
  { client, writer }: Engine,
  namespace: string,
  logger: Logger,
): MemberIndex {
  const { live, building, previous } = aliasesOf(namespace);

  const unlessMissing = missing(live);

  const writeTo = (to: string, lines: ReturnType<typeof linesOf>) => writeLines(writer, to, lines);

  return {
    async search(request) {
      const { hits } = await client.search({ ...request, index: live }).catch(unlessMissing);
      return answerOf(hits);
    },
    write: (documents, to = live) => writeTo(to, linesOf(documents)),
    async writeAll(documents) {
      // Read after the events arrived: a rebuild that starts later reads the change itself.
      const found = await client.indices.getAlias({ name: `${live}-*` });
      const there = new Set(Object.values(found).flatMap(({ aliases }) => Object.keys(aliases)));
      const lines = linesOf(documents);
      await Promise.all([
        writeTo(live, lines),
        there.has(building) && writeTo(building, lines),
        there.has(previous) &&
          writeTo(previous, lines).catch((error: unknown) =>
            logger.warn(
              { err: error },
              'the index kept for a rollback missed a change, a rollback repairs it',
            ),
          ),
      ]);
    },
    async remove(id) {
      const found = await client.indices.getAlias({ name: `${live}*` });
      for (const index of Object.keys(found)) {
        await writer.delete(
          { index, id: String(id), version: afterAll, version_type: 'external_gte' },
          { ignore: [404], requestTimeout: writeLimitMs },
        );
      }
    },
    async centroidOf(zip, country) {
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
        .catch(unlessMissing);
      const location = aggregations?.center.location;
      return location && typeof location === 'object' && 'lat' in location
        ? { lat: toTenth(location.lat), lon: toTenth(location.lon) }
        : null;
    },
  };
}
