import type { SearchProjection } from '@covalence/contract/search-projection';
import { hourMs, dayMs } from '@covalence/contract/time';
import { memberDocument } from '../index/member-document.ts';
import { alertSearcher } from '../saved/alert-choice.ts';
import type { NewMatch } from './match-store.ts';
import type { Alert } from './alert-percolator.ts';
import type { AlertsContext } from './alerts.ts';
import { factsOf, hasMoved, isSame, type MemberFacts } from '../predicates/member-facts.ts';

/** Daily notifications are due at this hour, UTC. */
const dailyHour = 17;

/** Members are new for this long after they joined. */
const newMs = 7 * dayMs;

/** Matches wait for the index at most this long, and after the write until searches find the member. */
const holdMs = { most: hourMs, searchable: 2_000 };

/** The next daily time after the index had time to follow. */
export function nextDaily(now: Date): Date {
  const from = new Date(now.getTime() + 60_000);
  const next = new Date(from);
  next.setUTCHours(dailyHour, 0, 0, 0);
  if (next <= from) next.setUTCDate(next.getUTCDate() + 1);
  return next;
}

/** Whether a notification at once reveals no more than that somebody joined: not when who moved, came back or is active. */
const isNew = (after: MemberFacts, before: MemberFacts | undefined, now: Date): boolean =>
  now.getTime() - Date.parse(after.joined) <= newMs && !(before && hasMoved(before, after));

/** The match of an alert; `isDaily` makes it wait for the daily time. */
export function matchOf(
  { id, member, notify }: Alert,
  fitting: number,
  isDaily: boolean,
  now: Date,
): NewMatch {
  const held = notify === 'live' && !isDaily;
  const due = held ? new Date(now.getTime() + holdMs.most) : nextDaily(now);
  return { search: id, searcher: member, member: fitting, due, held };
}

async function matchesOf(
  { id, version, was_hidden }: SearchProjection,
  after: MemberFacts | undefined,
  before: MemberFacts | undefined,
  { alerts, clock }: AlertsContext,
): Promise<NewMatch[]> {
  if (!after || (before && isSame(before, after))) return [];
  const found = await alerts.percolator.newlyFitting(`${id}:${version}`, after, before);
  const now = clock();
  const isDaily = was_hidden === true || !isNew(after, before, now);
  return found.map((alert) => matchOf(alert, after.id, isDaily, now));
}

/** Stores what changed of searchers with their alerts. */
async function updateSearchers(
  projections: readonly SearchProjection[],
  { alerts, saved }: AlertsContext,
): Promise<void> {
  for (const projection of projections) {
    const searcher = alertSearcher.parse(projection);
    if (alerts.percolator.isOutdated(projection.id, searcher)) {
      await saved.searches.updateSearcher(projection.id, searcher);
    }
  }
}

/** Stores matches, except those of searches that were deleted since this process read them. */
export async function addMatches(
  matches: readonly NewMatch[],
  { alerts, saved }: AlertsContext,
): Promise<void> {
  if (!matches.length) return;
  const existing = await saved.searches.existing([...new Set(matches.map(({ search }) => search))]);
  await alerts.matches.add(matches.filter(({ search }) => existing.has(search)));
}

/** Whether the index has everybody: while it is filled, members whom it lacks did not come back. */
const isFilled = async ({ index }: AlertsContext): Promise<boolean> =>
  (await index.versions.live())?.filled === true;

/**
 * Notes, before members are written to the index, which alerts they newly fit: it compares them with what the index has of them.
 * Returns what follows the write: searches find the members then, so their matches become due.
 */
export async function noteMatches(
  projections: readonly SearchProjection[],
  context: AlertsContext,
): Promise<() => Promise<void>> {
  const { alerts, clock, index } = context;
  await alerts.percolator.refresh();
  if (!alerts.percolator.size) return () => Promise.resolve();
  await updateSearchers(projections, context);
  const ids = projections.map(({ id }) => id);
  const stored = await index.documents.read(ids, index.aliases.live);
  const matches: NewMatch[] = [];
  for (const projection of projections) {
    const before = stored.get(projection.id);
    if (before && before.version >= projection.version) continue;
    const { source } = memberDocument(projection);
    matches.push(...(await matchesOf(projection, factsOf(source), factsOf(before?.source), context)));
  }
  if (stored.size === ids.length || (await isFilled(context))) await addMatches(matches, context);
  return () => alerts.matches.release(ids, new Date(clock().getTime() + holdMs.searchable));
}

/** Notes matches; where that fails, members are indexed all the same, and what they newly fit stays unnoticed. */
export async function noteMatchesOrGoOn(
  projections: readonly SearchProjection[],
  context: AlertsContext,
): Promise<() => Promise<void>> {
  const { logger, metrics } = context;
  const failed = (error: unknown) => {
    metrics.failedRounds.inc({ work: 'alerts' });
    logger.warn({ err: error, members: projections.length }, 'matches of saved searches not noted');
  };
  try {
    const release = await noteMatches(projections, context);
    return () => release().catch(failed);
  } catch (error) {
    failed(error);
    return () => Promise.resolve();
  }
}
