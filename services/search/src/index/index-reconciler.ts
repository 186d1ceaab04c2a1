import type { Lease } from '@covalence/events/lease';
import type { Peer } from '@covalence/http/peer';
import type { Logger } from '@covalence/runtime/logger';
import type { Metrics } from '@covalence/runtime/metrics';
import { copyMembers } from './copy-members.ts';
import type { IndexVersion, IndexVersions } from './index-version-store.ts';
import type { IndexMapping } from './mapping.ts';
import { aliasesOf, type MemberIndex } from './member-index.ts';

/** Keeps a live index in place: creates the first one, fills an incomplete one, and reports an outdated mapping. */
export interface IndexReconciler {
  /** Begins looking, now and then every few seconds. */
  start(): void;
  /** One look: creates and fills what is missing. Rejects while the engine or profile is away. */
  reconcile(): Promise<void>;
  close(): Promise<void>;
}

/** What the keeper works with. */
export interface ReconcilerOptions {
  readonly namespace: string;
  readonly versions: IndexVersions;
  readonly members: MemberIndex;
  readonly mapping: IndexMapping;
  readonly profile: Peer<'profile'>;
  /** One process at a time fills. */
  readonly lease: Lease;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Between two looks, and after one that failed. */
const lookMs = 5_000;
const againMs = 1_000;

/** Creates the reconciler. An index lost with the engine's data comes back by itself, and complete. */
export function createIndexReconciler(options: ReconcilerOptions): IndexReconciler {
  const { namespace, versions, members, mapping, profile, lease, logger, metrics } = options;
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> = Promise.resolve();
  let reported = '';

  const onProgress = () => closing.signal.throwIfAborted();

  const fill = async (): Promise<void> => {
    if (!(await lease.hold())) return;
    const version = await versions.live();
    if (!version || version.filled) return;
    const renewLease = async () => {
      if (!(await lease.hold())) throw new Error('filling was given up');
    };
    const { live: to } = aliasesOf(namespace);
    const { copied, broken } = await copyMembers({ profile, members, to, onProgress, renewLease });
    await versions.markFilled(version);
    await lease.release();
    logger.info({ index: version.index, members: copied }, 'index filled');
    if (broken.length)
      logger.error({ broken }, 'the index is without members whom profile cannot make a projection of');
  };

  const reportMapping = ({ index, fingerprint, mapping_version: live }: IndexVersion) => {
    if (fingerprint === mapping.fingerprint || reported === index) return;
    reported = index;
    logger.error(
      { index, live, configured: mapping.version },
      'the mapping or the catalogue has changed: run pnpm covalence index rebuild',
    );
  };

  const reconcile = async (): Promise<void> => {
    if (!(await versions.live())) await versions.createFirst();
    const version = await versions.live();
    if (!version) return;
    reportMapping(version);
    if (!version.filled) await fill();
  };

  const turn = async (): Promise<void> => {
    const failed = await reconcile().then(
      () => false,
      (error: unknown) => {
        if (!closing.signal.aborted) {
          metrics.failedRounds.inc({ work: 'index' });
          logger.warn({ err: error }, 'the index will be looked at again');
        }
        return true;
      },
    );
    if (closing.signal.aborted) return;
    timer = setTimeout(next, failed ? againMs : lookMs);
  };

  const next = () => void (underWay = turn());

  return {
    start: next,
    reconcile,
    async close() {
      closing.abort();
      clearTimeout(timer);
      await underWay;
      await lease.release();
    },
  };
}
