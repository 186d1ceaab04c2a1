import { createConsumer } from '@covalence/events/consumer';
import { startJobs } from '@covalence/events/periodic';
import type { Background } from '@covalence/runtime/lifecycle';
import { noteBirthdays } from './alerts/note-birthdays.ts';
import { noteMatchesOrGoOn } from './alerts/note-matches.ts';
import { notifySearchers } from './alerts/notify-searchers.ts';
import type { Context } from './context.ts';
import { matchDay } from './discover/daily-matching/match-day.ts';
import { onMemberChanged } from './index/on-member-changed.ts';
import { unknownSites } from './settings/search-settings.ts';
import { largestSample } from './usage/attribute-actions.ts';
import { settleExperiments } from './usage/judge-experiment.ts';

/** Events per call to profile and bulk write, and how long they are collected. */
const batch = { size: 500, waitMs: 200 };

/** Logs the versions of the files, and sites in them that do not exist. */
function logFiles({ config, logger }: Context): void {
  const { RELEVANCE_FILE, MAPPING_FILE, SITES_FILE, USAGE_SECRET } = config;
  logger.info(
    { relevance: RELEVANCE_FILE.version, mapping: MAPPING_FILE.version },
    'versions of the settings files',
  );
  const sites = unknownSites(RELEVANCE_FILE, SITES_FILE);
  if (sites.length) logger.warn({ sites }, 'RELEVANCE_FILE names sites that are not in SITES_FILE');
  if (largestSample(RELEVANCE_FILE) > 0 && !USAGE_SECRET) {
    logger.warn('usage_sample is set, but no search is recorded: set USAGE_SECRET');
  }
}

/** Deletes recorded searches whose secret is lost. */
async function forgetUnknown({ usage, logger }: Context): Promise<void> {
  const count = await usage.store.forgetUnknown();
  if (count) logger.warn({ searches: count }, 'deleted searches recorded under another USAGE_SECRET');
}

/** Starts what maintains the index and follows settings, the consumers and the jobs. */
export function startBackground(context: Context): Background {
  const { broker, clock, index, logger, memberStores, metrics, profile, settings, usage } = context;
  logFiles(context);
  index.reconciler.start();
  usage.recorder.start();
  const onChanged = onMemberChanged({
    profile,
    members: index.members,
    stores: memberStores,
    beforeWrite: (members) => noteMatchesOrGoOn(members, context),
    usage: usage.store,
  });
  const running = [
    createConsumer(broker, { queue: 'search.index', handle: onChanged, batch, logger, metrics }),
    createConsumer(broker, { queue: 'search.usage', handle: usage.attribute, batch, logger, metrics }),
    startJobs(context, {
      settings: { everyMs: 2_000, everyProcess: true, work: settings.active.follow },
      experiment: { everyMs: 5_000, everyProcess: true, work: usage.running.refresh },
      alerts: { everyMs: 5_000, work: (mayGoOn) => notifySearchers(context, mayGoOn) },
      'alerts-of-birthdays': { everyMs: 3_600_000, work: (mayGoOn) => noteBirthdays(context, mayGoOn) },
      matching: { everyMs: 600_000, work: (mayGoOn) => matchDay(context, mayGoOn) },
      'usage-secrets': { everyMs: 600_000, work: () => forgetUnknown(context) },
      experiments: { everyMs: 600_000, work: () => settleExperiments({ ...usage, clock, logger }) },
    }),
  ];
  return {
    async close() {
      await Promise.all(running.map((each) => each.close()));
    },
  };
}
