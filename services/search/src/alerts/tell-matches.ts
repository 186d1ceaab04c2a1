import { Failure } from '@covalence/contract/failure';
import { newEvent } from '@covalence/events/new-event';
import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import { isUnavailableError } from '@covalence/runtime/unavailable-error';
import { parseSearch } from '../criteria/parse-search.ts';
import { searcherOf } from '../criteria/searcher.ts';
import type { AlertingSearch } from '../saved/saved-search-store.ts';
import { defaultControls } from '../saved/saved-controls.ts';
import { findMembers } from '../searches/find-members.ts';
import type { AlertsContext } from './alerts.ts';

/** Members told of by one search at a time; a search that finds more shows them when it runs. */
const mostTold = 20;

/** Matches of a search that are looked at, the newest first. */
const mostDue = 500;

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

/** Nobody is told if the searcher may not search any more. The hour's centers being used up is for a later round. */
function noneUnlessLater(error: unknown): number[] {
  if (error instanceof Failure && error.status < 500 && error.status !== tooManyRequests) return [];
  throw error;
}

async function tell(id: string, now: Date, context: AlertsContext): Promise<void> {
  const { publisher, saved } = context;
  const search = await saved.searches.findAlert(id);
  const told: number[] = [];
  if (search) {
    const due = await saved.matches.dueOf(id, now, mostDue);
    const fitting = await exactMatches(search, due, context).catch(noneUnlessLater);
    told.push(...fitting.slice(0, mostTold));
    for (const other of told) {
      const data = { other, search: id };
      const facts = {
        type: 'search.matched',
        member: search.member,
        version: now.getTime(),
        at: now,
      } as const;
      await publisher.publish(newEvent({ ...facts, data, about: `${id}:${other}` }));
    }
  }
  await saved.matches.settle(id, told, now);
}

/**
 * Job: tells searchers of the members who newly fit and whom their searches find now. Resolves with failures; those are tried again in
 * the next round.
 */
export async function tellMatches(context: AlertsContext, mayGoOn: MayGoOn = always): Promise<number> {
  const now = context.clock();
  const searches = await context.saved.matches.dueSearches(now);
  return eachPart(searches, (id) => tell(id, now, context), {
    mayGoOn,
    // Every further search would wait for the store or the broker.
    ends: isUnavailableError,
    logger: context.logger,
    left: 'matches of a saved search not told; the next round retries',
    about: (search) => ({ search }),
    atOnce,
  });
}
