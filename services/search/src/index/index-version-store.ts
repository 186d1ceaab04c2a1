import { z } from 'zod';
import { isExistingIndex, isMissingIndex, type Engine } from './elasticsearch-adapter.ts';
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
  /** The version that was live before and follows the members, or null. */
  previous(): Promise<IndexVersion | null>;
  /** Every version there is, oldest first. */
  list(): Promise<string[]>;
  /** Indices of relevance labs: of one under way, or left by one that was killed. */
  labs(): Promise<string[]>;
  /** Deletes those of labs, and tells which. */
  dropWorkbenches(): Promise<string[]>;
  /** Creates a version with the live alias where there is none; another process may have done so meanwhile. */
  createFirst(): Promise<void>;
  /** Creates the next version with the building alias, replacing what an unfinished rebuild left. */
  createNext(): Promise<IndexVersion>;
  /** Notes that a version holds every member. */
  markFilled(version: IndexVersion): Promise<void>;
  /** Makes a built version the live one, in one step; the old one becomes the previous. */
  promote(version: IndexVersion): Promise<void>;
  /** Makes the previous version the live one and the other way round, in one step. Throws where there is none. */
  rollBack(): Promise<IndexVersion>;
  /** Deletes a version that will not be needed. */
  discard(version: IndexVersion): Promise<void>;
  /** Deletes every index but the live one and those among `spared`, and tells which. */
  dropOld(spared?: readonly string[]): Promise<string[]>;
  /** Visible and all documents of an index, after a refresh. */
  count(index: string): Promise<{ all: number; visible: number }>;
}

/** How often Elasticsearch refreshes an index whose settings do not say. */
const engineRefresh = '1s';

/** The end of an index that is named after its lab's UUID. */
const workbenchName = /-lab-[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}-members-\d+$/;

const numberOf = (index: string) => Number(index.slice(index.lastIndexOf('-') + 1));

/** Creates the store of index versions. */
export function createIndexVersions(engine: Engine, namespace: string, mapping: IndexMapping): IndexVersions {
  const { client, writer } = engine;
  const { live, building, previous } = aliasesOf(namespace);
  const nameOf = (number: number) => `${live}-${String(number).padStart(6, '0')}`;
  const fresh = { mapping_version: mapping.version, fingerprint: mapping.fingerprint, filled: false };

  const behind = async (alias: string): Promise<IndexVersion | null> => {
    const found = await client.indices.getMapping({ index: alias }).catch((error: unknown) => {
      if (isMissingIndex(error)) return {};
      throw error;
    });
    // Of several, as after one was restored, the first that was made here.
    const entries = Object.entries(found).toSorted(([one], [other]) => numberOf(one) - numberOf(other));
    const entry = entries.find(([, { mappings }]) => mappings._meta) ?? entries[0];
    if (!entry) return null;
    return { index: entry[0], ...metaSchema.parse(entry[1].mappings._meta) };
  };

  const create = (index: string, alias: string, settings = mapping.settings) =>
    writer.indices.create({
      index,
      aliases: { [alias]: {} },
      settings,
      mappings: { dynamic: false, _meta: fresh, properties: mapping.properties },
    });

  /** One index live, and one previous where there is any, in one step, wherever the aliases stood: a restored index brings its own. */
  const exchange = (index: string, before: string | undefined) =>
    writer.indices.updateAliases({
      actions: [
        ...[live, previous, building].map((alias) => ({
          remove: { index: `${live}-*`, alias, must_exist: false },
        })),
        { add: { index, alias: live } },
        ...(before ? [{ add: { index: before, alias: previous } }] : []),
      ],
    });

  const named = async (index: string): Promise<string[]> =>
    Object.keys(await client.indices.get({ index, allow_no_indices: true, features: 'aliases' })).sort();

  const list = async () => (await named(`${live}-*`)).filter((index) => Number.isInteger(numberOf(index)));

  // Not those of another namespace that is called so.
  const labs = async () => (await named(`${namespace}-lab-*`)).filter((index) => workbenchName.test(index));

  return {
    live: () => behind(live),
    building: () => behind(building),
    previous: () => behind(previous),
    list,
    labs,
    async dropWorkbenches() {
      const left = await labs();
      if (left.length) await writer.indices.delete({ index: left });
      return left;
    },
    async createFirst() {
      // In this order another process has either been seen or chooses the same name.
      const number = Math.max(0, ...(await list()).map(numberOf)) + 1;
      if (await behind(live)) return;
      await create(nameOf(number), live).catch((error: unknown) => {
        if (!isExistingIndex(error)) throw error;
      });
    },
    async createNext() {
      const unfinished = await behind(building);
      if (unfinished) await writer.indices.delete({ index: unfinished.index });
      const last = Math.max(0, ...(await list()).map(numberOf));
      // Nobody searches it yet: every refresh would cut off a small segment that merges have to take in.
      await create(nameOf(last + 1), building, { ...mapping.settings, refresh_interval: '-1' });
      return { index: nameOf(last + 1), ...fresh };
    },
    async markFilled({ index, mapping_version, fingerprint }) {
      const refresh = mapping.settings.refresh_interval ?? engineRefresh;
      await writer.indices.putSettings({ index, settings: { refresh_interval: refresh } });
      await writer.indices.refresh({ index });
      await writer.indices.putMapping({ index, _meta: { mapping_version, fingerprint, filled: true } });
    },
    async promote({ index }) {
      const old = await behind(live);
      await exchange(index, old?.index);
    },
    async rollBack() {
      const [current, old] = await Promise.all([behind(live), behind(previous)]);
      if (!current || !old) throw new Error('there is no previous index to roll back to');
      await exchange(old.index, current.index);
      return old;
    },
    async discard({ index }) {
      await writer.indices.delete({ index, ignore_unavailable: true });
    },
    async dropOld(spared = []) {
      const used = new Set([(await behind(live))?.index, ...spared]);
      const old = (await list()).filter((index) => !used.has(index));
      if (old.length) await writer.indices.delete({ index: old });
      return old;
    },
    async count(index) {
      await writer.indices.refresh({ index });
      const [all, visible] = await Promise.all([
        writer.count({ index }),
        writer.count({ index, query: { term: { visible: true } } }),
      ]);
      return { all: all.count, visible: visible.count };
    },
  };
}
