import type { EventOf, EventType } from '@covalence/contract/events';
import type { UpdateBody } from '@covalence/contract/live-updates';

/** What is told to a member, before it has its place in the member's history. */
export interface Notification {
  /** Numeric id of the member who is told. */
  readonly member: number;
  /** Id of the event that it comes from, by which it is told once. */
  readonly eventId: string;
  readonly update: UpdateBody;
  /** The trace of the call that caused it, where that is kept. */
  readonly traceparent?: string | undefined;
}

/** What each kind of event says to whom. */
type Told<Type extends EventType> = (event: EventOf<Type>) => { member: number; update: UpdateBody };

type PairEvent = EventOf<Extract<EventType, `pair.${string}`>>;

/** Of a pair, the other one is told what the actor did. */
const ofPair =
  (type: 'like' | 'mutual' | 'decline' | 'view' | 'photo') =>
  ({ at, member, data }: PairEvent) => ({
    member: data.other,
    update: { type, at, data: { profileid: member } },
  });

const messages: { readonly [Type in EventType]?: Told<Type> } = {
  'pair.liked': ofPair('like'),
  'pair.mutual': ofPair('mutual'),
  'pair.declined': ofPair('decline'),
  'pair.viewed': ofPair('view'),
  /** What one agreed to about photos tells the other, who then fetches record and photos. */
  'pair.shared': ofPair('photo'),
  /** The member, on every device, the counters as they are. */
  'counters.changed': ({ at, member, data }) => ({ member, update: { type: 'counters', at, data } }),
  /** The receiver is told who wrote and which one it is. */
  'message.sent': ({ at, member, data }) => ({
    member: data.other,
    update: { type: 'message', at, data: { profileid: member, messageid: data.message } },
  }),
  /** The member is told what was decided on: the field's name or the photo's id. */
  'moderation.decided': ({ at, member, data: { subject, decision, field, photo } }) => ({
    member,
    update: {
      type: 'moderation',
      at,
      data: { subject, decision, ...(field && { field }), ...(photo && { photoid: photo }) },
    },
  }),
  /** The owner, on every device, what became of a photo; the client then fetches GET /photo. */
  'photo.changed': ({ at, member, data: { photo: photoid, status, primary } }) => ({
    member,
    update: { type: 'photo', at, data: { photoid, status, primary } },
  }),
  /** The member, on every device, what the membership is now, as the record shows it. */
  'membership.changed': ({ at, member, data: { status, autorenew, expires_at } }) => ({
    member,
    update: {
      type: 'membership',
      at,
      data: { membership_status: status, autorenew, expirationdate: expires_at },
    },
  }),
};

/**
 * The message that an event makes, if it makes one; ids and names only, so that the client fetches the record or
 * the message as it may see it now.
 */
export function notificationOf<Type extends EventType>(event: EventOf<Type>): Notification | undefined {
  const told: Told<Type> | undefined = messages[event.type];
  return told && { eventId: event.id, traceparent: event.traceparent, ...told(event) };
}
