import type { Event, EventOf } from '@covalence/contract/events';
import type { LiveUpdate } from '@covalence/contract/live-updates';

/** What is told to a member, before it has its place in the member's history. */
export interface LiveMessage {
  /** Numeric id of the member who is told. */
  readonly member: number;
  /** Id of the event that it comes from, by which it is told once. */
  readonly eventId: string;
  readonly update: Omit<LiveUpdate, 'id'>;
}

type PairEvent = Extract<Event, { type: `pair.${string}` }>;

const pairUpdates: Record<PairEvent['type'], LiveUpdate['type']> = {
  'pair.liked': 'like',
  'pair.mutual': 'mutual',
  'pair.declined': 'decline',
  'pair.viewed': 'view',
};

const isPairEvent = (event: Event): event is PairEvent => event.type in pairUpdates;

/** Of a pair, the other one is told what the actor did. */
const pairMessage = (event: PairEvent): LiveMessage => ({
  member: event.data.other,
  eventId: event.id,
  update: { type: pairUpdates[event.type], at: event.at, data: { profileid: event.member } },
});

/** Of a message, the receiver is told who wrote and which one it is. */
const writtenMessage = ({ id, at, member, data }: EventOf<'message.sent'>): LiveMessage => ({
  member: data.other,
  eventId: id,
  update: { type: 'message', at, data: { profileid: member, messageid: data.message } },
});

/** Of a decision of Customer Service, the member is told what it was about: the field's name or the photo's id. */
const moderationMessage = ({ id, at, member, data }: EventOf<'moderation.decided'>): LiveMessage => {
  const { subject, decision, field, photo } = data;
  return {
    member,
    eventId: id,
    update: {
      type: 'moderation',
      at,
      data: { subject, decision, ...(field && { field }), ...(photo && { photoid: photo }) },
    },
  };
};

/**
 * The message that an event makes, if it makes one (D41); ids and names only, so that the client fetches the record or
 * the message as it may see it now.
 */
export function liveMessageOf(event: Event): LiveMessage | undefined {
  if (event.type === 'message.sent') return writtenMessage(event);
  if (event.type === 'moderation.decided') return moderationMessage(event);
  return isPairEvent(event) ? pairMessage(event) : undefined;
}
