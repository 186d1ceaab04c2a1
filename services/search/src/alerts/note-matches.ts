import type { SearchProjection } from '@covalence/contract/search-projection';
import { memberDocument } from '../index/member-document.ts';
import { alertSearcher } from '../saved/alert-choice.ts';
import type { NewMatch } from '../saved/match-store.ts';
import type { Alert } from './alert-book.ts';
import type { AlertsContext } from './alerts.ts';
import { factsOf, hasMoved, isSame, type MemberFacts } from './member-facts.ts';

/** What every searcher is told daily of comes at this hour, UTC. */
const dailyHour = 17;

/** Members who became visible within this time after they joined are new; later, they came back. */
const newMs = 7 * 86_400_000;

/** Matches wait for the index at most this long, and after the write until searches find the member. */
const holdMs = { most: 3_600_000, searchable: 2_000 };

/** The next daily time after the index had time to follow. */
export function nextDaily(now: Date): Date {
  const from = new Date(now.getTime() + 60_000);
  const next = new Date(from);
  next.setUTCHours(dailyHour, 0, 0, 0);
  if (next <= from) next.setUTCDate(next.getUTCDate() + 1);
  return next;
}

/** Whether telling at once would show when somebody moved or came back. */
const revealsPresence = (after: MemberFacts, before: MemberFacts | undefined, now: Date): boolean =>
  before ? hasMoved(before, after) : now.getTime() - Date.parse(after.joined) > newMs;

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
  after: MemberFacts | undefined,
  before: MemberFacts | undefined,
  { alerts, clock }: AlertsContext,
): Promise<NewMatch[]> {
  if (!after || (before && isSame(before, after))) return [];
  const found = await alerts.book.newlyFitting(after, before);
  const now = clock();
  const isDaily = revealsPresence(after, before, now);
  return found.map((alert) => matchOf(alert, after.id, isDaily, now));
}

/** Stores what changed of searchers with their alerts. */
async function updateSearchers(
  projections: readonly SearchProjection[],
  { alerts, saved }: AlertsContext,
): Promise<void> {
  for (const projection of projections) {
    const searcher = alertSearcher.parse(projection);
    if (alerts.book.isOutdated(projection.id, searcher)) {
      await saved.searches.updateSearcher(projection.id, searcher);
    }
  }
}

/**
 * Notes, before members are written to the index, whom they newly fit: it compares them with what the index has of them. Returns what
 * is to be done after the write: searches find the members then, so the matches may be told.
 */
export async function noteMatches(
  projections: readonly SearchProjection[],
  context: AlertsContext,
): Promise<() => Promise<void>> {
  const { alerts, clock, index, saved } = context;
  await alerts.book.refresh();
  if (!alerts.book.size) return () => Promise.resolve();
  await updateSearchers(projections, context);
  const documents = projections.map(memberDocument);
  const stored = await index.documents.read(
    documents.map(({ id }) => id),
    index.aliases.live,
  );
  const matches: NewMatch[] = [];
  for (const { id, version, source } of documents) {
    const before = stored.get(id);
    if (before && before.version >= version) continue;
    matches.push(...(await matchesOf(factsOf(source), factsOf(before?.source), context)));
  }
  if (matches.length) await saved.matches.add(matches);
  const held = [...new Set(matches.filter((match) => match.held).map(({ member }) => member))];
  return async () => {
    if (held.length) await saved.matches.release(held, new Date(clock().getTime() + holdMs.searchable));
  };
}
