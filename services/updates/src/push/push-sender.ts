import { createPublicAgents, isNotPublic, type PublicAgentOptions } from '@covalence/http/public-agents';
import https, { type RequestOptions } from 'node:https';
import webPush from 'web-push';
import { retryAfterMs } from './push-backoff.ts';

/** The keys that identify this server to push services (RFC 8292). */
export interface Vapid {
  readonly publicKey: string;
  readonly privateKey: string;
  /** A `mailto:` or `https:` address where a push service reaches the operator. */
  readonly subject: string;
}

/** A device's subscription. */
export interface PushTarget {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** The result of one attempt. */
interface PushResult {
  /** `gone` when the subscription no longer exists, `refused` when the address is not allowed. */
  readonly outcome: 'sent' | 'gone' | 'refused' | 'failed';
  /** A status or the code of an error. */
  readonly reason?: string;
  /** Set when a retry may help: the minimum pause that the push service requests. */
  readonly retry?: { readonly afterMs: number };
}

/** Sends messages to devices. */
export type PushSender = ReturnType<typeof createPushSender>;

/** Keys, limits, and replacements for tests. */
export interface PushSenderOptions extends PublicAgentOptions {
  readonly vapid: Vapid;
  readonly timeoutMs?: number;
}

/** How long a push service stores a message for a device that is offline, seconds. */
const lifetime = 86_400;

interface Answer {
  readonly status: number;
  readonly afterMs: number;
}

const isTransient = (status: number) => status === 429 || status >= 500;

/** The code of an error; its message may contain a member's endpoint. */
const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'error';

/**
 * Creates the sender. Clients choose the endpoints, so connections go to public addresses over https only, redirects are not
 * followed, response bodies are not read, and each attempt has a time limit.
 */
export function createPushSender({ vapid, timeoutMs = 5_000, ...agents }: PushSenderOptions) {
  const agent = createPublicAgents(agents)['https:'];

  const post = (endpoint: string, options: RequestOptions, body: Buffer): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const request = https.request(endpoint, { ...options, agent }, (response) => {
        resolve({
          status: response.statusCode ?? 0,
          afterMs: retryAfterMs(response.headers['retry-after'], Date.now()),
        });
        response.destroy();
      });
      request.once('error', reject);
      request.end(body);
    });

  const once = async (
    target: PushTarget,
    text: string,
    topic: string,
    signal: AbortSignal,
  ): Promise<Answer> => {
    const { endpoint, p256dh, auth } = target;
    const details = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
      vapidDetails: vapid,
      TTL: lifetime,
      topic,
      urgency: 'normal',
      contentEncoding: 'aes128gcm',
    });
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    return post(endpoint, { method: 'POST', headers: details.headers, signal: limited }, details.body);
  };

  return {
    /**
     * Encrypts and sends a text, in one attempt that `signal` aborts. A later text of the same topic replaces one that the push
     * service still stores. Never throws.
     */
    async send(target: PushTarget, text: string, topic: string, signal: AbortSignal): Promise<PushResult> {
      if (!/^https:/i.test(target.endpoint)) return { outcome: 'refused', reason: 'not https' };
      try {
        const { status, afterMs } = await once(target, text, topic, signal);
        if (status >= 200 && status < 300) return { outcome: 'sent' };
        const reason = `status ${status}`;
        if (status === 404 || status === 410) return { outcome: 'gone', reason };
        return { outcome: 'failed', reason, ...(isTransient(status) && { retry: { afterMs } }) };
      } catch (error) {
        if (isNotPublic(error)) return { outcome: 'refused', reason: 'address is not public' };
        return { outcome: 'failed', reason: codeOf(error), retry: { afterMs: 0 } };
      }
    },
  };
}
