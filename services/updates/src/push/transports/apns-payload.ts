import { isSecurityType } from '@covalence/contract/push-types';
import { isUrgent, lifetimeMs, type PushContent, type PushDevice } from './transport.ts';

/** Whether a notification breaks through a focus of the member who allows it. */
const breaksThrough = (type: PushContent['type']): boolean => type === 'message' || isSecurityType(type);

/** The payload of a notification: far below the limit of 4,096 bytes, because texts and data are short. */
export function apnsPayload(content: PushContent, { capabilities = [] }: PushDevice): Buffer {
  const { type, title, body, tag, at, data, unread } = content;
  const can = new Set(capabilities);
  const aps = {
    alert: { title, body },
    'thread-id': type,
    ...(can.has('badge') && { badge: unread }),
    ...(can.has('sound') && { sound: 'default' }),
    ...(can.has('time_sensitive') && breaksThrough(type) && { 'interruption-level': 'time-sensitive' }),
  };
  return Buffer.from(JSON.stringify({ aps, type, tag, at, data }));
}

/** The headers of a notification beside the token of the provider. */
export function apnsHeaders({ type, at }: PushContent, topic: string): Record<string, string> {
  return {
    'apns-topic': topic,
    'apns-push-type': 'alert',
    'apns-priority': isUrgent(type) ? '10' : '5',
    // A later notification of a type replaces the one that the device shows, and a repeated one itself.
    'apns-collapse-id': type,
    'apns-expiration': String(Math.floor((Date.parse(at) + lifetimeMs) / 1_000)),
  };
}
