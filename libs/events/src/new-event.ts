import type { Event, EventType } from '@covalence/contract/events';
import { currentRequestId } from '@covalence/runtime/request-context';
import { traceHeaders } from '@covalence/runtime/tracing';
import { v7 } from 'uuid';

/** The content of a new event; the rest of the envelope is filled in. */
export interface EventFacts {
  readonly type: EventType;
  readonly member: number;
  readonly version: number;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly at: Date;
}

/** The version of the next write. It increases even after a backup was restored. */
export function nextVersion(previous: number | undefined, now: Date): number {
  return Math.max((previous ?? 0) + 1, now.getTime());
}

/** Creates an event with a new id and with the request id and trace of its cause. */
export function newEvent({ type, member, version, data = {}, at }: EventFacts): Event {
  const request_id = currentRequestId();
  const { traceparent } = traceHeaders();
  return {
    id: v7(),
    type,
    version,
    at: at.toISOString(),
    member,
    data,
    ...(request_id && { request_id }),
    ...(traceparent && { traceparent }),
  } as Event;
}
