import type { Event } from '@covalence/contract/events';
import type { RelevanceSettings } from '../relevance/relevance-settings.ts';
import { weekOf, type Pseudonyms } from './pseudonyms.ts';
import { dayOf, type Action, type UsageStore } from './usage-store.ts';

/** The largest sample of a site: events do not say the site. */
export const largestSample = ({ usage_sample: general, sites }: RelevanceSettings): number =>
  Math.max(general, ...Object.values(sites).map(({ usage_sample: own }) => own ?? 0));

const actionOf: Partial<Record<Event['type'], Action>> = {
  'pair.viewed': 'view',
  'pair.liked': 'like',
  'pair.mutual': 'like',
  'message.sent': 'message',
};

/** Handles what members do: notes it at the last recorded search that showed the other. Events may repeat. */
export function followSearches(
  store: UsageStore,
  pseudonyms: Pseudonyms | undefined,
  relevance: () => Promise<RelevanceSettings>,
) {
  /** Whether a member was in the sample in this week or the last. */
  const mayBeRecorded = (member: number, sample: number, at: Date) =>
    [weekOf(at), weekOf(at) - 1].some((week) => (pseudonyms?.lot(member, week) ?? 1) < sample);

  /** Notes what a member did as a reply, if the other had approached them after a search. */
  const noteReply = async (member: number, other: number, at: Date): Promise<boolean> => {
    const place = await store.lastApproach(other, member, at);
    if (place) await store.follow({ ...place, action: 'reply', day: dayOf(at) });
    return place !== undefined;
  };

  const noteAction = async (member: number, other: number, action: Action, at: Date): Promise<void> => {
    const place = await store.lastThatShowed(member, other, at);
    if (place) await store.follow({ ...place, action, day: dayOf(at) });
  };

  return async (events: readonly Event[]): Promise<void> => {
    const sample = largestSample(await relevance());
    if (sample === 0) return;
    for (const { type, member, data, at: time } of events) {
      const action = actionOf[type];
      if (!action || !('other' in data)) continue;
      const { other } = data;
      const at = new Date(time);
      const mayAnswer = type === 'pair.mutual' || type === 'message.sent';
      const isReply = mayAnswer && mayBeRecorded(other, sample, at) && (await noteReply(member, other, at));
      // A message that answers follows the other's; a connection answers both.
      if (isReply && type === 'message.sent') continue;
      if (mayBeRecorded(member, sample, at)) await noteAction(member, other, action, at);
    }
  };
}
