import { eraseMember, exportSearch } from '@covalence/contract/internal/privacy-api';
import { isMap } from '@covalence/contract/is-map';
import type { SearchProjection } from '@covalence/contract/search-projection';
import { utcDay } from '@covalence/contract/time';
import { endpoint } from '@covalence/http/endpoint';
import { memberDocument } from '../index/member-document.ts';
import type { SavedContext } from './saved.ts';

/** The price and pair of a member. One who is in no matching has the usual price, like a member whom the ban list keeps from it. */
async function matchingOf({ saved }: SavedContext, id: number, known: SearchProjection | undefined) {
  const standing = await saved.standings.find(id);
  if (standing) {
    const { day, price, pair, suggested } = standing;
    return { day, price, has_pair: pair !== undefined, suggested: suggested.length };
  }
  const day = known?.visible ? await saved.standings.lastDay(known.group) : undefined;
  return day === undefined ? null : { day, price: 0, has_pair: false, suggested: 0 };
}

/** POST /internal/members/export: saved searches with whom they told of, match criteria, the feed of the day, judgments, centers of the last hour, recorded searches, and the index document. */
export const exportOf = endpoint({
  access: 'service',
  summary: 'Everything kept of a member',
  ...exportSearch,
  handler: async ({ input: { id, as_known } }, context: SavedContext) => {
    const { saved, searches, usage, index } = context;
    const [criteria, stored, told, appearance, feed, matching, judged, runs, centers, recorded, documents] =
      await Promise.all([
        saved.matchCriteria.read(id),
        saved.searches.list(id),
        saved.matches.listTold(id),
        saved.appearances.find(id),
        saved.feeds.find(id),
        matchingOf(context, id, as_known),
        saved.judgments.countOf(id),
        saved.judgmentRuns.countOf(id),
        searches.centers.list(id),
        usage.store.list(id),
        index.documents.read([id], index.aliases.live),
      ]);
    const indexed = documents.get(id)?.source;
    const source = indexed && as_known ? memberDocument(as_known).source : indexed;
    return {
      saved_searches: stored.map(({ revision: _revision, ...search }) => search),
      alert_matches: told.map((match) => ({ ...match, at: match.at?.toISOString() ?? null })),
      match_criteria: { ...criteria },
      feed: appearance
        ? {
            day: feed?.day ?? appearance.since,
            seen_as: appearance.seen_as,
            members: feed?.members.length ?? 0,
          }
        : null,
      matching,
      judged: { ...judged, runs },
      origins: centers.map(({ place, own, at }) => ({ place, own, at: at.toISOString() })),
      recorded_searches: recorded.map(({ search, actions }) => ({
        day: utcDay(search.day),
        siteid: search.siteid,
        sortby: search.sortby,
        criteria: search.criteria,
        versions: { ...search.versions },
        pagesize: search.pagesize,
        results: search.shown.length,
        first: search.first,
        ...(search.draft && { draft: { experiment: search.draft.experiment, teams: search.draft.teams } }),
        actions: actions.map(({ action, position, day }) => ({ action, position, day: utcDay(day) })),
      })),
      index: isMap(source) ? source : null,
    };
  },
});

/**
 * POST /internal/members/erase: deletes what is stored about a member, and their document in every index. Profile calls it after
 * its own erasure, so that no event restores the document. Idempotent.
 */
export const erase = endpoint({
  access: 'service',
  summary: 'Erase a member',
  ...eraseMember,
  handler: async ({ input: { id } }, { saved, searches, usage, index }: SavedContext) => {
    await Promise.all(
      [...Object.values(saved), searches.centers, usage.store].map((store) => store.forget([id])),
    );
    await index.members.remove(id);
    return {};
  },
});
