import type { SavedContext } from './saved.ts';

/** Whether the feed, the pair of the day or an alert has shown a member another one lately. */
export async function isShownOtherwise(
  member: number,
  other: number,
  { feeds, standings, matches }: SavedContext['saved'],
): Promise<boolean> {
  const [feed, standing, wasTold] = await Promise.all([
    feeds.find(member),
    standings.find(member),
    matches.hasTold(member, other),
  ]);
  return wasTold || standing?.pair === other || (feed?.members.includes(other) ?? false);
}
