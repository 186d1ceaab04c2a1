import { z } from 'zod';
import type { Stems } from '../analysis/analysis.ts';
import { isExistingIndex, isMissingIndex, type ElasticsearchClients } from './elasticsearch-adapter.ts';
import type { IndexMapping } from './mapping.ts';
import { aliasesOf } from './member-index.ts';
import { withStems } from './stems.ts';

const metaSchema = z.object({
  mapping_version: z.int(),
  fingerprint: z.string(),
  /** Whether it holds every member; false until it has been filled once. */
  filled: z.boolean(),
  /** Names of the sub-fields with stems beside those of the mapping file. */
  stems: z.array(z.string()).default([]),
  /** When a shadow is deleted. */
  expires: z.iso.datetime().optional(),
});

/** One index version: its name and what it was created with. */
export interface IndexVersion extends z.infer<typeof metaSchema> {
  readonly index: string;
}

/** The index versions of a namespace: numbered indices behind the live, building and previous aliases. */
export type IndexVersions = ReturnType<typeof createIndexVersions>;

/** The refresh interval of an index whose settings name none. */
const engineRefresh = '1s';

/** The end of the name of a temporary index of `covalence relevance`. */
const temporaryName = /-lab-[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}-members-\d+$/;

const numberOf = (index: string) => Number(index.slice(index.lastIndexOf('-') + 1));

/** Creates the store of index versions. */
export function createIndexVersions(
  { client, writer }: ElasticsearchClients,
  namespace: string,
  mapping: IndexMapping,
) {
  const { live, building, previous, shadow } = aliasesOf(namespace);
  const nameOf = (number: number) => `${live}-${String(number).padStart(6, '0')}`;
  const metaOf = (stems: readonly Stems[]): z.infer<typeof metaSchema> => ({
    mapping_version: mapping.version,
    fingerprint: mapping.fingerprint,
    filled: false,
    stems: stems.map(({ name }) => name),
  });

  const behind = async (alias: string): Promise<IndexVersion | null> => {
    const found = await client.indices.getMapping({ index: alias }).catch((error: unknown) => {
      if (isMissingIndex(error)) return {};
      throw error;
    });
    // After a restore an alias can have several indices: the first one that was created here counts.
    const entries = Object.entries(found).toSorted(([one], [other]) => numberOf(one) - numberOf(other));
    const entry = entries.find(([, { mappings }]) => mappings._meta) ?? entries[0];
    return entry ? { index: entry[0], ...metaSchema.parse(entry[1].mappings._meta) } : null;
  };

  const create = (
    index: string,
    alias: string,
    stems: readonly Stems[],
    changes: object = {},
    meta = metaOf(stems),
  ) => {
    const { settings, properties } = withStems(mapping, stems);
    return writer.indices.create({
      index,
      aliases: { [alias]: {} },
      settings: { ...settings, ...changes },
      mappings: { dynamic: false, _meta: meta, properties },
    });
  };

  /** Moves the aliases in one step, wherever they are: a restored index brings its own. */
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

  /** Every version, oldest first. */
  const list = async () => (await named(`${live}-*`)).filter((index) => Number.isInteger(numberOf(index)));

  /** Temporary indices of `covalence relevance`, running or killed. */
  const temporaries = async () =>
    // The pattern also matches indices of a namespace that ends in -lab-….
    (await named(`${namespace}-lab-*`)).filter((index) => temporaryName.test(index));

  const nextName = async () => nameOf(Math.max(0, ...(await list()).map(numberOf)) + 1);

  const dropAll = async (indices: string[]): Promise<string[]> => {
    if (indices.length) await writer.indices.delete({ index: indices });
    return indices;
  };

  const discard = async ({ index }: IndexVersion): Promise<void> => {
    await writer.indices.delete({ index, ignore_unavailable: true });
  };

  /** Creates an empty version beside the live one, replacing one with this alias. */
  const createBeside = async (
    alias: string,
    meta: z.infer<typeof metaSchema>,
    stems: readonly Stems[],
  ): Promise<IndexVersion> => {
    const former = await behind(alias);
    if (former) await discard(former);
    const index = await nextName();
    // Nothing searches it yet, and each refresh would create a small segment to merge.
    await create(index, alias, stems, { refresh_interval: '-1' }, meta);
    return { index, ...meta };
  };

  return {
    /** The version that is searched, or null. */
    live: () => behind(live),
    /** The version that a rebuild is filling, or null. */
    building: () => behind(building),
    /** The version that staff try a mapping with, or null. It follows the members. */
    shadow: () => behind(shadow),
    /** The version that was live before and follows the members, or null. */
    previous: () => behind(previous),
    list,
    temporaries,
    /** Deletes all temporary indices and returns their names. */
    dropTemporaries: async () => dropAll(await temporaries()),
    /** Creates a version with the live alias if there is none; another process may have done so meanwhile. */
    async createFirst(stems: readonly Stems[]): Promise<void> {
      // In this order another process has either been seen or chooses the same name.
      const index = await nextName();
      if (await behind(live)) return;
      await create(index, live, stems).catch((error: unknown) => {
        if (!isExistingIndex(error)) throw error;
      });
    },
    /** Creates the next version with the building alias, replacing one that an unfinished rebuild left. */
    createNext: (stems: readonly Stems[]) => createBeside(building, metaOf(stems), stems),
    /** Creates the shadow, replacing another one. */
    createShadow: (stems: readonly Stems[], expires: Date) =>
      createBeside(shadow, { ...metaOf(stems), expires: expires.toISOString() }, stems),
    /** Deletes the shadow when it expires. */
    async dropExpired(now: Date): Promise<void> {
      const found = await behind(shadow);
      if (found?.expires && new Date(found.expires) <= now) await discard(found);
    },
    /** Stores that a version holds every member. */
    async markFilled({ index, ...meta }: IndexVersion): Promise<void> {
      const refresh = mapping.settings.refresh_interval ?? engineRefresh;
      await writer.indices.putSettings({ index, settings: { refresh_interval: refresh } });
      await writer.indices.refresh({ index });
      await writer.indices.putMapping({ index, _meta: { ...meta, filled: true } });
    },
    /** Makes a built version the live one and the old one the previous, in one step. */
    async promote({ index }: IndexVersion): Promise<void> {
      await exchange(index, (await behind(live))?.index);
    },
    /** Swaps the previous and the live version in one step. Throws without a previous one. */
    async rollBack(): Promise<IndexVersion> {
      const [current, old] = await Promise.all([behind(live), behind(previous)]);
      if (!current || !old) throw new Error('there is no previous index to roll back to');
      await exchange(old.index, current.index);
      return old;
    },
    discard,
    /** Deletes every version but the live one and those in `spared`; returns the deleted ones. */
    async dropOld(spared: readonly string[] = []): Promise<string[]> {
      const used = new Set([(await behind(live))?.index, ...spared]);
      return dropAll((await list()).filter((index) => !used.has(index)));
    },
    /** Counts all and visible documents of an index after a refresh. */
    async count(index: string): Promise<{ all: number; visible: number }> {
      await writer.indices.refresh({ index });
      const [all, visible] = await Promise.all([
        writer.count({ index }),
        writer.count({ index, query: { term: { visible: true } } }),
      ]);
      return { all: all.count, visible: visible.count };
    },
  };
}
