import { noLease, type Periodic, startPeriodic } from '@covalence/events/periodic';
import type { Clock } from '@covalence/runtime/clock';
import type { Lease } from '@covalence/events/lease';
import type { Peer } from '@covalence/http/peer';
import type { Logger } from '@covalence/runtime/logger';
import type { Metrics } from '@covalence/runtime/metrics';
import { copyMembers } from './copy-members.ts';
import type { IndexVersion, IndexVersions } from './index-version-store.ts';
import type { IndexMapping } from './mapping.ts';
import type { MemberIndex } from './member-index.ts';
import { missingStems, type ReadStems } from './stems.ts';

/** The dependencies of the reconciler. */
export interface ReconcilerOptions {
  readonly versions: IndexVersions;
  readonly members: MemberIndex;
  readonly mapping: IndexMapping;
  readonly stems: ReadStems;
  readonly profile: Peer<'profile'>;
  /** Lets one process at a time fill the index. */
  readonly lease: Lease;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Interval between two checks, and the pause after a failed one. */
const checkMs = 5_000;
const retryMs = 1_000;

/**
 * Maintains the live index: creates the first one, fills an incomplete one, and reports an outdated mapping. Deletes an expired shadow. An index that was lost
 * with the engine's data is restored from profile.
 */
export function createIndexReconciler(options: ReconcilerOptions) {
  const { versions, members, mapping, stems, profile, lease, clock, logger, metrics } = options;
  const closing = new AbortController();
  let checks: Periodic | undefined;
  let reported = '';

  const onProgress = () => closing.signal.throwIfAborted();

  const fill = async (): Promise<void> => {
    if (!(await lease.hold())) return;
    const version = await versions.live();
    if (!version || version.filled) return;
    const renewLease = async () => {
      if (!(await lease.hold())) throw new Error('another process has taken over filling the index');
    };
    const { copied, broken } = await copyMembers({ profile, members, onProgress, renewLease });
    await versions.markFilled(version);
    await lease.release();
    logger.info({ index: version.index, members: copied }, 'index filled');
    if (broken.length)
      logger.error({ broken }, 'the index lacks members whose projection profile cannot render');
  };

  const reportMapping = async (version: IndexVersion): Promise<void> => {
    const { index, fingerprint, mapping_version: live } = version;
    const missing = missingStems(await stems(), version.stems);
    if (fingerprint === mapping.fingerprint && !missing.length) return;
    const found = [index, ...missing].join(' ');
    if (reported === found) return;
    reported = found;
    logger.error(
      { index, live, configured: mapping.version, missing },
      'the mapping, the catalogue or the stems have changed: run pnpm covalence index rebuild',
    );
  };

  /** One check: creates and fills what is missing. Rejects while Elasticsearch or profile is down. */
  const reconcile = async (): Promise<void> => {
    if (!(await versions.live())) await versions.createFirst(await stems());
    const version = await versions.live();
    if (!version) return;
    await reportMapping(version);
    if (!version.filled) await fill();
    await versions.dropExpired(clock());
  };

  const check = () =>
    reconcile().catch((error: unknown) => {
      if (!closing.signal.aborted) throw error;
    });

  return {
    /** Starts checking periodically. */
    start(): void {
      const often = { everyMs: checkMs, retryMs, lease: noLease };
      checks = startPeriodic({ name: 'index', ...often, work: check, logger, metrics });
    },
    reconcile,
    async close(): Promise<void> {
      closing.abort();
      await checks?.close();
      await lease.release();
    },
  };
}
