import type { IndexVersion } from '../index-version-store.ts';
import { shareRecent } from '@covalence/runtime/share-recent';
import { compareSample } from './compare-members.ts';
import type { IndexMapping } from '../mapping.ts';
import type { SearchIndex } from '../search-index.ts';
import { missingStems } from '../stems.ts';

/** The mapping of an index to which nothing is to be done. */
export const asConfigured = 'as configured';

/** Compares the configured mapping, and the stems in force, with those of the live index. */
function mappingState(
  live: IndexVersion,
  { version, fingerprint }: IndexMapping,
  missing: readonly string[],
): string {
  if (live.fingerprint === fingerprint) {
    return missing.length ? `lacks ${missing.join(', ')} of the analysis: rebuild needed` : asConfigured;
  }
  if (version < live.mapping_version) {
    return `configured is version ${version}, older than the live one: is MAPPING_FILE the file of the last rebuild?`;
  }
  if (version === live.mapping_version) {
    return `what is configured differs, though it is version ${version} too (or the catalogue has changed): rebuild needed`;
  }
  return `configured is version ${version}: rebuild needed`;
}

/** The state of the live index and of those beside it; null without a live one. `waiting` is undefined while the broker is unavailable. */
export async function indexState({ versions, mapping, ...index }: SearchIndex) {
  const [live, building, previous, shadow, stems] = await Promise.all([
    versions.live(),
    versions.building(),
    versions.previous(),
    versions.shadow(),
    index.stems(),
  ]);
  if (!live) return null;
  const [{ all, visible }, waiting] = await Promise.all([
    versions.count(live.index),
    index.countWaitingEvents().catch(() => undefined),
  ]);
  return {
    live: live.index,
    mapping_version: live.mapping_version,
    mapping: mappingState(live, mapping, missingStems(stems, live.stems)),
    complete: live.filled,
    documents: all,
    visible,
    waiting,
    building: building?.index ?? null,
    kept: previous?.index ?? null,
    shadow: shadow && {
      index: shadow.index,
      mapping_version: shadow.mapping_version,
      complete: shadow.filled,
      expires: shadow.expires ?? null,
    },
  };
}

/** Members that are compared with their documents for the status of the service, and how long the result counts. */
const watched = { members: 100, ms: 60_000 };

/** Reads the state of the index for the status of the service, with what the last comparison of some members found. */
export function watchIndex(index: SearchIndex) {
  const compare = shareRecent(watched.ms, () =>
    compareSample(watched.members, { ...index, alias: index.aliases.live }),
  );
  let last = { compared: 0, differing: 0 };
  return async () => {
    // The status has the queue anyway.
    const state = await indexState({ ...index, countWaitingEvents: () => Promise.resolve(0) });
    if (!state) return null;
    // Takes a second or more: the next reader gets it.
    compare().then(
      ({ compared, differences }) => (last = { compared, differing: differences.length }),
      () => undefined,
    );
    const { live, mapping_version, mapping, complete, documents } = state;
    const current = mapping === asConfigured && complete;
    return { live, mapping_version, mapping, current, complete, documents, ...last };
  };
}
