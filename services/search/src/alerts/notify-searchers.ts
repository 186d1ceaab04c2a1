import { Failure } from '@covalence/contract/failure';
import { dayMs } from '@covalence/contract/time';
import { newEvent } from '@covalence/events/new-event';
import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import { isPeerDefect, isUnavailableError } from '@covalence/runtime/unavailable-error';
import { parseSearch } from '../criteria/parse-search.ts';
import { searcherOf } from '../criteria/searcher.ts';
import type { AlertingSearch } from '../saved/saved-search-store.ts';
import { defaultControls } from '../saved/saved-controls.ts';
import { findMembers } from '../searches/find-members.ts';
import type { AlertsContext } from './alerts.ts';

/** Notifications of one search in 24 hours; a search that finds more shows them when it runs. */
const mostADay = 20;

/** Matches of a round, and those of one search that are looked at, the newest first. */
const mostDue = { round: 1_000, search: 500 };

/** Searches handled at once. */
const atOnce = 4;

const tooManyRequests = 429;

/** Runs a saved search among these members, as its searcher would now, and returns the exact matches in their order. */
async function exactMatches(
  { member, criteria, controls }: AlertingSearch,
  among: readonly number[],
  context: AlertsContext,
): Promise<number[]> {
  const { exclude } = { ...defaultControls, ...controls };
  if (!among.length) return [];
  const { viewer, excluded } = await context.relations.read(member, exclude);
  const parsed = parseSearch(criteria, searcherOf(viewer, context));
  if (parsed.failcodes.length) return [];
  const asked = {
    ...parsed,
    excluded,
    among,
    explain: false,
    sortby: 'newest',
    page: 1,
    pagesize: among.length,
  } as const;
  const { matches } = await findMembers(asked, viewer, context);
  return matches.filter(({ exactmatch }) => exactmatch).map(({ id }) => id);
}

/** Nobody is notified if the searcher may not search any more. The hour's centers being used up is for a later round. */
function noneUnlessLater(error: unknown): number[] {
  if (error instanceof Failure && error.status < 500 && error.status !== tooManyRequests) return [];
  throw error;
}

async function notify(id: string, context: AlertsContext): Promise<void> {
  const { alerts, clock, saved } = context;
  const now = clock();
  const search = await saved.searches.findAlert(id);
  if (!search) return alerts.matches.drop(id);
  const { member } = search;
  const due = await alerts.matches.dueOf(id, now, mostDue.search);
  const [fitting, sent] = await Promise.all([
    exactMatches(search, due, context).catch(noneUnlessLater),
    alerts.matches.countSent(member, id, new Date(now.getTime() - dayMs)),
  ]);
  const left = Math.max(0, mostADay - sent);
  const [notified, leftOut] = [fitting.slice(0, left), fitting.slice(left)];
  for (const other of notified) {
    const facts = { type: 'search.matched', member, version: now.getTime(), at: now } as const;
    await alerts
      .publisher()
      .publish(newEvent({ ...facts, data: { other, search: id }, about: `${id}:${other}` }));
  }
  await alerts.matches.settle(member, due, { notified, leftOut });
}

/** An error that every further search would meet: a store, profile or the broker is away. */
const endsRound = (error: unknown): boolean => isUnavailableError(error) && !isPeerDefect(error);

/** A search that fails by itself does not keep the others waiting. */
async function notifyOrPostpone(id: string, context: AlertsContext): Promise<void> {
  try {
    await notify(id, context);
  } catch (error) {
    if (!endsRound(error)) await context.alerts.matches.postpone(id, context.clock());
    throw error;
  }
}

/**
 * Job: notifies searchers of the members who newly fit and whom their searches find now. Resolves with failures; those are tried again
 * later.
 */
export async function notifySearchers(context: AlertsContext, mayGoOn: MayGoOn = always): Promise<number> {
  const searches = await context.alerts.matches.dueSearches(context.clock(), mostDue.round);
  return eachPart(searches, (id) => notifyOrPostpone(id, context), {
    mayGoOn,
    ends: endsRound,
    logger: context.logger,
    left: 'matches of a saved search not notified; a later round retries',
    about: (search) => ({ search }),
    atOnce,
  });
}
