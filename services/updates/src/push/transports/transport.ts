import type { PushCapability } from '@covalence/contract/push-address';
import { securityTypes, type PushedType } from '@covalence/contract/push-types';
import { dayMs } from '@covalence/contract/time';

/** A device that takes push messages. */
export interface PushDevice {
  /** The address of its browser's push service, or of its app. */
  readonly endpoint: string;
  /** The keys of a browser. */
  readonly p256dh?: string | undefined;
  readonly auth?: string | undefined;
  readonly capabilities?: readonly PushCapability[] | undefined;
  /** When it was registered last (ISO). */
  readonly added_at: string;
}

/** The content of a push message. */
export interface PushContent {
  readonly type: PushedType;
  readonly title: string;
  readonly body: string;
  /** The language of the body (BCP 47). */
  readonly lang: string;
  /** The id of the event: a device shows a repeated message once. */
  readonly tag: string;
  readonly at: string;
  /** The data of the live update, so that a tap opens the right page. */
  readonly data: object;
  /** Unread messages, for the badge of an app. */
  readonly unread: number;
}

/** The result of one attempt. */
export interface PushResult {
  /** `gone` when the device takes no more messages, `refused` when its address is not allowed. */
  readonly outcome: 'sent' | 'gone' | 'refused' | 'failed';
  /** A status, the push service's name of the error, or the code of an error; never a token or a text. */
  readonly reason?: string;
  /** Set with `gone` when a wrong setting of the app brings this answer for every device. */
  readonly isOfSettings?: boolean;
  /** Set when a retry may help: the minimum pause that the push service requests. */
  readonly retry?: { readonly afterMs: number };
  /** Set when the push service or the app's credentials failed, not the device: the minimum pause for every device of the app. */
  readonly service?: { readonly afterMs: number };
}

/** A failure of the push service or the app: this device and all others wait at least for a pause. */
export const serviceFailure = (reason: string, afterMs = 0): PushResult => ({
  outcome: 'failed',
  reason,
  retry: { afterMs },
  service: { afterMs },
});

/** Sends messages to the devices of one kind of push service, in one attempt that `signal` aborts. Never throws. */
export interface Transport {
  send(device: PushDevice, content: PushContent, signal: AbortSignal): Promise<PushResult>;
  close(): void;
}

/** Time for which a push service stores a message for a device that is offline. */
export const lifetimeMs = dayMs;

const urgent: ReadonlySet<PushedType> = new Set(['message', 'mutual', ...securityTypes]);

/** Whether somebody waits for a message: it is sent at once, the others when it saves power. */
export const isUrgent = (type: PushedType): boolean => urgent.has(type);

/** The code of an error; its message may contain an address. */
export function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'error';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'name' in error ? String(error.name) : 'error';
}
