import type { Client } from '@elastic/elasticsearch';
import { z } from 'zod';
import { isExistingIndex, isMissingIndex } from './elasticsearch-engine.ts';
import type { IndexMapping } from './mapping.ts';
import { aliasesOf } from './member-index.ts';

const metaSchema = z.object({
  mapping_version: z.int(),
  fingerprint: z.string(),
  /** Whether it holds every member; false from its creation until the first filling has ended. */
  filled: z.boolean(),
});

/** One index version: its name and what it was created with. */
export interface IndexVersion extends z.infer<typeof metaSchema> {
  readonly index: string;
}

/** The index versions of a namespace: numbered indices behind the live and the building alias. */
export interface IndexVersions {
  /** The version that is searched, or null where there is none yet. */
  live(): Promise<IndexVersion | null>;
  /** The version that a rebuild is filling, or null. */
  building(): Promise<IndexVersion | null>;
  /** Every version there is, oldest first. */
  list(): Promise<string[]>;
  /** Creates the first version with the live alias; another process may have done so meanwhile. */
  createFirst(): Promise<void>;
  /** Creates the next version with the building alias, replacing what an unfinished rebuild left. */
  createNext(): Promise<IndexVersion>;
  /** Notes that a version holds every member. */
  markFilled(version: IndexVersion): Promise<void>;
  /** Makes a built version the live one, in one step; the old index stays. */
  promote(version: IndexVersion): Promise<void>;
  /** Deletes every index that is neither live nor being built, and tells which. */
  dropOld(): Promise<string[]>;
  /** Visible and all documents of an index, after a refresh. */
  count(index: string): Promise<{ all: number; visible: number }>;
}

const numberOf = (index: string) => Number(index.slice(index.lastIndexOf('-') + 1));

/** Creates the store of index versions. */
export function createIndexVersions(client: Client, namespace: string, mapping: IndexMapping): IndexVersions {
  const { live, building } = aliasesOf(namespace);
  const nameOf = (number: number) => `${live}-${String(number).padStart(6, '0')}`;
  const fresh = { mapping_version: mapping.version, fingerprint: mapping.fingerprint, filled: false };

  const behind = async (alias: string): Promise<IndexVersion | null> => {
    const found = await client.indices.getMapping({ index: alias }).catch((error: unknown) => {
      if (isMissingIndex(error)) return {};
      throw error;
    });
    const [entry] = Object.entries(found);
    if (!entry) return null;
    return { index: entry[0], ...metaSchema.parse(entry[1].mappings._meta) };
  };

  const create = (index: string, alias: string) =>
    client.indices.create({
      index,
      aliases: { [alias]: {} },
      settings: mapping.settings,
      mappings: { dynamic: false, _meta: fresh, properties: mapping.properties },
    });

  const list = async (): Promise<string[]> => {
    const found = await client.indices.get({
      index: `${live}-*`,
      allow_no_indices: true,
      features: 'aliases',
    });
    return Object.keys(found)
      .filter((index) => Number.isInteger(numberOf(index)))
      .sort();
  };

  return {
    live: () => behind(live),
    building: () => behind(building),
    list,
    async createFirst() {
      await create(nameOf(1), live).catch((error: unknown) => {
        if (!isExistingIndex(error)) throw error;
      });
    },
    async createNext() {
      const unfinished = await behind(building);
      if (unfinished) await client.indices.delete({ index: unfinished.index });
      const last = Math.max(0, ...(await list()).map(numberOf));
      await create(nameOf(last + 1), building);
      return { index: nameOf(last + 1), ...fresh };
    },
    async markFilled({ index, mapping_version, fingerprint }) {
      await client.indices.putMapping({ index, _meta: { mapping_version, fingerprint, filled: true } });
    },
    async promote({ index }) {
      const old = await behind(live);
      await client.indices.updateAliases({
        actions: [
          ...(old ? [{ remove: { index: old.index, alias: live } }] : []),
          { add: { index, alias: live } },
          { remove: { index, alias: building } },
        ],
      });
    },
    async dropOld() {
      const used = new Set([(await behind(live))?.index, (await behind(building))?.index]);
      const old = (await list()).filter((index) => !used.has(index));
      if (old.length) await client.indices.delete({ index: old });
      return old;
    },
    async count(index) {
      await client.indices.refresh({ index });
      const [all, visible] = await Promise.all([
        client.count({ index }),
        client.count({ index, query: { term: { visible: true } } }),
      ]);
      return { all: all.count, visible: visible.count };
    },
  };
}
