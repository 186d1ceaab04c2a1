import type { Event, EventType } from '@covalence/contract/events';
import { currentRequestId } from '@covalence/runtime/request-context';
import { traceHeaders } from '@covalence/runtime/tracing';
import { v5, v7 } from 'uuid';

/** The content of a new event; the rest of the envelope is filled in. */
export interface EventFacts {
  readonly type: EventType;
  readonly member: number;
  readonly version: number;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly at: Date;
  /** The subject of the event, if it may be published again: the same text gives the same id. */
  readonly about?: string;
}

/** The namespace of ids that follow from a text (RFC 9562, UUIDv5). */
const namedEvents = '6b0d6f3e-4f0c-4c57-9a0e-0a8f5d1f7e21';

/** The version of the next write. It increases even after a backup was restored. */
export function nextVersion(previous: number | undefined, now: Date): number {
  return Math.max((previous ?? 0) + 1, now.getTime());
}

/** Creates an event with a new id and with the request id and trace of its cause. */
export function newEvent({ type, member, version, data = {}, at, about }: EventFacts): Event {
  const request_id = currentRequestId();
  const { traceparent } = traceHeaders();
  return {
    id: about === undefined ? v7() : v5(about, namedEvents),
    type,
    version,
    at: at.toISOString(),
    member,
    data,
    ...(request_id && { request_id }),
    ...(traceparent && { traceparent }),
  } as Event;
}
