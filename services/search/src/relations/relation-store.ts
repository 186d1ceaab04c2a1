import { chunks } from '@covalence/runtime/chunks';
import type { Client, estypes } from '@elastic/elasticsearch';
import { isExistingIndex, isMissingIndex } from '../index/elasticsearch-adapter.ts';
import type { PackedIds } from './packed-ids.ts';
import type { Entry, ListName } from './relation.ts';

/** What is kept of a viewer's relations: whom a search leaves out, and up to which version that is complete. */
export interface Head {
  /** Every change of a pair with this version or an older one is in the documents. */
  readonly as_of: number;
  /** The documents are named after it; a new one for every number of buckets. */
  readonly generation: string;
  /** Relations are spread over so many documents by the other's id. */
  readonly buckets: number;
  readonly total: number;
  /** The others of each list that is not empty. */
  readonly lists: Readonly<Partial<Record<ListName, PackedIds>>>;
  /** Passes that end before `ending_by`, ms: the lists still have them. */
  readonly ending: readonly Entry[];
  readonly ending_by: number;
  /** Documents of no use: of the generation before, which another process may be reading, or of one that was not finished. Deleted with the next change. */
  readonly retired: readonly string[];
}

/** Where a document stands, so that a write over it fails when another came between. */
export interface Place {
  readonly seq: number;
  readonly term: number;
}

/** The relations of one bucket. */
export interface Bucket {
  readonly entries: readonly Entry[];
}

/** A document that is written over one read before, or as a new one. */
interface Written extends Bucket {
  readonly id: string;
  readonly over?: Place | undefined;
}

/** Kept relations in Elasticsearch, read and written by id only, in real time. The 2 is the shape of its documents. */
export interface RelationStore {
  /** Creates the index where it is missing. */
  ensure(): Promise<void>;
  readHead(viewer: number): Promise<{ head: Head; place: Place } | null>;
  /** Where it stands then; null where another process wrote it meanwhile. */
  writeHead(viewer: number, head: Head, over?: Place): Promise<Place | null>;
  /** Buckets by document id; missing ones are left out. */
  readBuckets(ids: readonly string[]): Promise<Map<string, Bucket & { place: Place }>>;
  /** False where another process wrote one of them meanwhile. */
  writeBuckets(buckets: readonly Written[]): Promise<boolean>;
  delete(ids: readonly string[]): Promise<void>;
  /** Ids of all documents that are there now, the heads apart from the others. */
  all(): Promise<{ heads: string[]; others: string[] }>;
  /** Deletes what versions before this one kept in an index of their own, where it is there. */
  dropFormer(): Promise<void>;
}

const conflict = 409;
/** Documents that are listed or deleted in one call. */
const most = 5_000;
/** How long Elasticsearch keeps a point in time between two pages. */
const keepAlive = '1m';

/** Where a write has to find the document as it was read, or none. */
const over = (place?: Place) =>
  place ? { if_seq_no: place.seq, if_primary_term: place.term } : { op_type: 'create' as const };

/** Null where the index is missing. */
const missing = (error: unknown): null => {
  if (isMissingIndex(error)) return null;
  throw error;
};

/** Creates the store of a namespace's kept relations. */
export function createRelationStore(client: Client, namespace: string): RelationStore {
  const index = `${namespace}-relations-2`;

  /** Runs a bulk request and returns where its documents stand then; null where something was refused for a conflict. */
  const bulk = async (operations: unknown[]): Promise<Place[] | null> => {
    if (!operations.length) return [];
    const { items } = await client.bulk({ operations, index });
    const done = items.flatMap((item) => Object.values(item));
    const failed = done.filter(({ error }) => error);
    const bad = failed.find(({ status }) => status !== conflict);
    if (bad) throw new Error(`relations refused: ${bad.status} ${bad.error?.reason}`);
    if (failed.length) return null;
    return done.map(({ _seq_no: seq = 0, _primary_term: term = 0 }) => ({ seq, term }));
  };

  /** Ids of the heads, or of the others, at a point in time. */
  const idsAt = async (id: string, heads: boolean): Promise<string[]> => {
    const ids: string[] = [];
    const query = { term: { head: heads } };
    const page = {
      pit: { id, keep_alive: keepAlive },
      size: most,
      _source: false,
      query,
      sort: ['_shard_doc'],
    };
    for (let after: estypes.SortResults = []; ;) {
      const { hits } = await client.search({ ...page, ...(after.length && { search_after: after }) });
      ids.push(...hits.hits.flatMap(({ _id }) => _id ?? []));
      after = hits.hits.at(-1)?.sort ?? [];
      if (!after.length) return ids;
    }
  };

  return {
    async ensure() {
      await client.indices
        .create({
          index,
          settings: { number_of_shards: 1, auto_expand_replicas: '0-1', refresh_interval: '5s' },
          mappings: { dynamic: false, properties: { head: { type: 'boolean' } } },
        })
        .catch((error: unknown) => {
          if (!isExistingIndex(error)) throw error;
        });
    },
    async readHead(viewer) {
      const found = await client.get<Head>({ index, id: String(viewer) }, { ignore: [404] }).catch(missing);
      const { _source: head, _seq_no: seq, _primary_term: term } = found ?? {};
      return head && seq !== undefined && term !== undefined ? { head, place: { seq, term } } : null;
    },
    async writeHead(viewer, head, place) {
      const written = await bulk([
        { index: { _id: String(viewer), ...over(place) } },
        { ...head, head: true },
      ]);
      return written?.[0] ?? null;
    },
    async readBuckets(ids) {
      if (!ids.length) return new Map();
      const { docs } = await client.mget<Bucket>({ index, ids: [...ids] });
      const found = docs.flatMap((doc) => {
        if (!('found' in doc) || !doc.found || !doc._source) return [];
        const place = { seq: doc._seq_no ?? 0, term: doc._primary_term ?? 0 };
        return [[doc._id, { ...doc._source, place }] as const];
      });
      return new Map(found);
    },
    async writeBuckets(buckets) {
      const operations = buckets.flatMap(({ id, entries, over: place }) => [
        { index: { _id: id, ...over(place) } },
        { entries, head: false },
      ]);
      return (await bulk(operations)) !== null;
    },
    async delete(ids) {
      for (const some of chunks(ids, most)) await bulk(some.map((_id) => ({ delete: { _id } })));
    },
    async all() {
      await client.indices.refresh({ index }).catch(missing);
      const now = await client.openPointInTime({ index, keep_alive: keepAlive }).catch(missing);
      if (!now) return { heads: [], others: [] };
      try {
        return { heads: await idsAt(now.id, true), others: await idsAt(now.id, false) };
      } finally {
        await client.closePointInTime({ id: now.id });
      }
    },
    async dropFormer() {
      await client.indices.delete({ index: `${namespace}-relations` }, { ignore: [404] });
    },
  };
}
