import type { Event } from '@covalence/contract/events';
import { startOfUtcDay } from '@covalence/contract/time';
import type { RelevanceSettings } from '../relevance/relevance-settings.ts';
import { weekOf, type Pseudonyms } from './pseudonyms.ts';
import type { Action, UsageStore } from './usage-store.ts';

/** The largest sample of a site: events do not say the site. */
export const largestSample = ({ usage_sample: general, sites }: RelevanceSettings): number =>
  Math.max(general, ...Object.values(sites).map(({ usage_sample: own }) => own ?? 0));

/** A connection is no action of its own: both members are notified of it, and the list of likes may have led to it. */
const actionOf: Partial<Record<Event['type'], Action>> = {
  'pair.viewed': 'view',
  'pair.liked': 'like',
  'message.sent': 'message',
};

/** Earlier actions of the other member that make an event a reply. */
const answers: Partial<Record<Event['type'], readonly Action[]>> = {
  // A recorded like came first, so the other member made the connection.
  'pair.mutual': ['like'],
  'message.sent': ['like', 'message'],
};

/** Weeks whose samples to check: a reply may come a week late, and the search was up to a day before. */
const weeksBack = [0, 1, 2];

/** Dependencies of the attribution. */
interface AttributionOptions {
  readonly store: UsageStore;
  /** Undefined where no search is recorded. */
  readonly pseudonyms: Pseudonyms | undefined;
  readonly relevance: () => Promise<RelevanceSettings>;
  /** Whether something else has recently shown a member the other, which may have led to the action. */
  readonly isShownOtherwise: (member: number, other: number) => Promise<boolean>;
  /** Whether a member allows that what they do is recorded. Of who does not, there are no searches. */
  readonly isRecorded: (member: number) => Promise<boolean>;
}

/** Attributes what members do to the last recorded search that showed them the other. Events may repeat. */
export function createAttribution(options: AttributionOptions) {
  const { store, pseudonyms, relevance, isShownOtherwise, isRecorded } = options;
  /** Whether a member was recently in the sample. */
  const mayBeRecorded = (member: number, sample: number, at: Date) =>
    weeksBack.some((weeks) => (pseudonyms?.lot(member, weekOf(at) - weeks) ?? 1) < sample);

  /** Notes what a member did as a reply, if the other had approached them after a search. */
  const noteReply = async (
    member: number,
    other: number,
    at: Date,
    approaches: readonly Action[],
  ): Promise<boolean> => {
    const place = await store.lastApproach(other, member, at, approaches);
    if (place && (await isRecorded(member)))
      await store.addAction({ ...place, action: 'reply', day: startOfUtcDay(at) });
    return place !== undefined;
  };

  const noteAction = async (member: number, other: number, action: Action, at: Date): Promise<void> => {
    const place = await store.lastThatShowed(member, other, at);
    if (!place || (await isShownOtherwise(member, other))) return;
    await store.addAction({ ...place, action, day: startOfUtcDay(at) });
  };

  return async (events: readonly Event[]): Promise<void> => {
    const sample = largestSample(await relevance());
    if (sample === 0) return;
    for (const { type, member, data, at: time } of events) {
      if (!('other' in data)) continue;
      const { other } = data;
      const at = new Date(time);
      const approaches = answers[type];
      const isReply =
        approaches !== undefined &&
        mayBeRecorded(other, sample, at) &&
        (await noteReply(member, other, at, approaches));
      const action = actionOf[type];
      if (action && !isReply && mayBeRecorded(member, sample, at))
        await noteAction(member, other, action, at);
    }
  };
}
