import type { AlertsContext } from '../alerts/alerts.ts';
import type { DiscoverContext } from './discover.ts';

/** Whether the feed, the pair of the day or an alert has recently shown a member another one. */
export async function isShownOtherwise(
  member: number,
  other: number,
  { feeds, matchingResults }: Pick<DiscoverContext['discover'], 'feeds' | 'matchingResults'>,
  { matches }: Pick<AlertsContext['alerts'], 'matches'>,
): Promise<boolean> {
  const [feed, result, wasNotified] = await Promise.all([
    feeds.find(member),
    matchingResults.find(member),
    matches.wasNotified(member, other),
  ]);
  return wasNotified || result?.pair === other || (feed?.members.includes(other) ?? false);
}
