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

/** Members in Elasticsearch behind one alias: searched and written, whichever index stands behind it. */
export interface MemberIndex {
  /** Runs a built search. Throws an error that answers 503 while the engine or the index is away. */
  search(request: estypes.SearchRequest): Promise<SearchAnswer>;
  /**
   * Writes documents to an alias (the live one where none is named). A document that is there with the same or a newer
   * version stays as it is, so writing twice or out of order changes nothing.
   */
  write(documents: readonly MemberDocument[], to?: string): Promise<void>;
  /**
   * Writes to the live index, while a rebuild is under way to the new one as well, and to the one that is kept for a
   * rollback. The last may fail: a rollback repairs it first.
   */
  writeAll(documents: readonly MemberDocument[]): Promise<void>;
  /** Removes a member who is no more from every index. Writes that are late by up to a minute stay out, newer ones too. */
  remove(id: number): Promise<void>;
  /**
   * The middle of the visible members of a postal code, to a tenth of a degree: it is told (v1's match criteria keep it), and
   * of a code of one member it would be where they live. Null where there are none.
   */
  centerOf(zip: string, country: string): Promise<{ lat: number; lon: number } | null>;
}

/** Aliases of a namespace: what is searched, what a rebuild is filling, and what a rollback would go back to. */
export const aliasesOf = (
  namespace: string,
): { readonly live: string; readonly building: string; readonly previous: string } => ({
  live: `${namespace}-members`,
  building: `${namespace}-members-building`,
  previous: `${namespace}-members-previous`,
});

/**
 * The version that an erased member ends with. A deletion without one is a step ahead of the document that it finds, and that of
 * none is the first of all: what was read before the erasure and is written late could come after either.
 */
const afterAll = Number.MAX_SAFE_INTEGER;

/** The hits of an answer as far as a search asks for them; the list is left out where nothing is found. */
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
      // Looked up with the events in hand: what a rebuild read before this moment cannot be older than them.
      const found = await client.indices.getAlias({ name: `${live}-*` });
      const there = new Set(Object.values(found).flatMap(({ aliases }) => Object.keys(aliases)));
      const lines = linesOf(documents);
      await Promise.all([
        writeTo(live, lines),
        there.has(building) && writeTo(building, lines),
        there.has(previous) &&
          writeTo(previous, lines).catch((error: unknown) =>
            logger.warn({ err: error }, 'the index kept for a rollback missed a change'),
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
    async centerOf(zip, country) {
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
