import { exportSearch } from '@covalence/contract/peers/privacy-api';
import { isMap } from '@covalence/contract/is-map';
import type { SearchProjection } from '@covalence/contract/search-projection';
import { utcDay } from '@covalence/contract/time';
import { serviceEndpoint } from '@covalence/http/endpoint';
import { memberDocument } from '../index/member-document.ts';
import type { PrivacyContext } from './privacy.ts';

/** The price and pair of a member. One who is in no matching has the usual price, like a member whom the ban list keeps from it. */
async function matchingOf({ discover }: PrivacyContext, id: number, known: SearchProjection | undefined) {
  const result = await discover.matchingResults.find(id);
  if (result) {
    const { day, price, pair, suggested } = result;
    return { day, price, has_pair: pair !== undefined, suggested: suggested.length };
  }
  const day = known?.visible ? await discover.matchingResults.lastDay(known.group) : undefined;
  return day === undefined ? null : { day, price: 0, has_pair: false, suggested: 0 };
}

/** POST /internal/members/export: saved searches, the times of their notifications, match criteria, the feed of the day, judgments, centers of the last hour, recorded searches, and the index document. */
export const exportOf = serviceEndpoint(exportSearch, async ({ id, as_known }, context: PrivacyContext) => {
  const { alerts, discover, index, judgments, saved, searches, usage } = context;
  const [
    criteria,
    stored,
    notified,
    snapshot,
    feed,
    tastes,
    matching,
    judged,
    runs,
    centers,
    recorded,
    documents,
  ] = await Promise.all([
    saved.matchCriteria.read(id),
    saved.searches.list(id),
    alerts.matches.listNotified(id),
    discover.snapshots.find(id),
    discover.feeds.find(id),
    discover.tastes.read([id]),
    matchingOf(context, id, as_known),
    judgments.sets.countOf(id),
    judgments.runs.countOf(id),
    searches.centers.list(id),
    usage.store.list(id),
    index.documents.read([id], index.aliases.live),
  ]);
  const indexed = documents.get(id)?.source;
  const source = indexed && as_known ? memberDocument(as_known).source : indexed;
  return {
    saved_searches: stored.map(({ revision: _revision, ...search }) => search),
    alert_matches: notified.map((match) => ({ ...match, at: match.at?.toISOString() ?? null })),
    match_criteria: { ...criteria },
    feed: snapshot
      ? {
          day: feed?.day ?? snapshot.since,
          seen_as: snapshot.seen_as,
          members: feed?.members.length ?? 0,
        }
      : null,
    tastes: (tastes.get(id) ?? []).map(({ field, value, weight }) => ({ field, value, weight })),
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
});
