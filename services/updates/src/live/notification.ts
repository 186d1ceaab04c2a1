import type { EventOf, EventType } from '@covalence/contract/events';
import type { UpdateBody } from '@covalence/contract/live-updates';

/** An update for one member, before it has its position in the member's history. */
export interface Notification {
  /** Numeric id of the recipient. */
  readonly member: number;
  /** Id of the event, by which a repeated one is recognized. */
  readonly eventId: string;
  readonly update: UpdateBody;
  /** The trace of the call that caused it, if it is recorded. */
  readonly traceparent?: string | undefined;
}

/** Makes the notification of one type of event. */
type Rule<Type extends EventType> = (event: EventOf<Type>) => { member: number; update: UpdateBody };

type PairEvent = EventOf<Extract<EventType, `pair.${string}`>>;

/** The other member of a pair is notified of what the actor did. */
const ofPair =
  (type: 'like' | 'mutual' | 'decline' | 'view' | 'photo') =>
  ({ at, member, data }: PairEvent) => ({
    member: data.other,
    update: { type, at, data: { profileid: member } },
  });

const rules: { readonly [Type in EventType]?: Rule<Type> } = {
  'pair.liked': ofPair('like'),
  'pair.mutual': ofPair('mutual'),
  'pair.declined': ofPair('decline'),
  'pair.viewed': ofPair('view'),
  /** The other member then fetches record and photos. */
  'pair.shared': ofPair('photo'),
  'counters.changed': ({ at, member, data }) => ({ member, update: { type: 'counters', at, data } }),
  'search.matched': ({ at, member, data: { other, search } }) => ({
    member,
    update: { type: 'match', at, data: { profileid: other, searchid: search } },
  }),
  'message.sent': ({ at, member, data }) => ({
    member: data.other,
    update: { type: 'message', at, data: { profileid: member, messageid: data.message } },
  }),
  /** Names the subject of the decision: a field or a photo's id. */
  'moderation.decided': ({ at, member, data: { subject, decision, field, photo } }) => ({
    member,
    update: {
      type: 'moderation',
      at,
      data: { subject, decision, ...(field && { field }), ...(photo && { photoid: photo }) },
    },
  }),
  'moderation.warned': ({ at, member, data: { other } }) => ({
    member,
    update: { type: 'fraud_warning', at, data: { profileid: other } },
  }),
  /** The owner's client then fetches GET /photo. */
  'photo.changed': ({ at, member, data: { photo: photoid, status, primary } }) => ({
    member,
    update: { type: 'photo', at, data: { photoid, status, primary } },
  }),
  /** The membership as the member record shows it. */
  'membership.changed': ({ at, member, data: { status, autorenew, expires_at } }) => ({
    member,
    update: {
      type: 'membership',
      at,
      data: { membership_status: status, autorenew, expirationdate: expires_at },
    },
  }),
};

/** The notification of an event, if it has one. It contains ids and names only: the client fetches the rest. */
export function notificationOf<Type extends EventType>(event: EventOf<Type>): Notification | undefined {
  const rule: Rule<Type> | undefined = rules[event.type];
  return rule && { eventId: event.id, traceparent: event.traceparent, ...rule(event) };
}
