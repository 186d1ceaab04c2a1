import { createPublicAgents, isNotPublic, type PublicAgentOptions } from '@covalence/http/public-agents';
import https, { type RequestOptions } from 'node:https';
import webPush from 'web-push';
import { retryAfterMs } from './push-backoff.ts';

/** The keys that push services know this system by (RFC 8292). */
export interface Vapid {
  readonly publicKey: string;
  readonly privateKey: string;
  /** A `mailto:` or `https:` address where a push service reaches the operator. */
  readonly subject: string;
}

/** Where one device takes messages. */
export interface PushTarget {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** What became of a message: `gone` is a device that takes none any more. */
export type PushOutcome = 'sent' | 'gone' | 'refused' | 'failed';

/** What became of a try; where the message was not sent, why: the push service's status, or the code of an error. */
export interface PushResult {
  readonly outcome: PushOutcome;
  readonly reason?: string;
  /** Whether another try may mend it, and after how many ms the push service wants that at the earliest. */
  readonly again?: { readonly afterMs: number };
}

/** Sends messages to devices. */
export interface PushSender {
  /**
   * Encrypts and sends a text, in one try that `signal` ends; a later one of the same topic takes the place of one that waits.
   * Never throws.
   */
  send(target: PushTarget, text: string, topic: string, signal: AbortSignal): Promise<PushResult>;
}

/** Bounds of sending, and what tests replace. */
export interface PushSenderOptions extends PublicAgentOptions {
  readonly vapid: Vapid;
  readonly timeoutMs?: number;
}

/** How long a push service keeps a message for a device that is away, seconds. */
const lifetime = 86_400;

interface Answer {
  readonly status: number;
  readonly afterMs: number;
}

const isPassing = (status: number) => status === 429 || status >= 500;

/** An error by its code: its message may name an address. */
const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'error';

/**
 * Creates the sender. Endpoints are named by members, so connections go to public addresses over https only, redirects
 * are not followed, nothing of an answer is read but its head, and a try has its time.
 */
export function createPushSender({ vapid, timeoutMs = 5_000, ...who }: PushSenderOptions): PushSender {
  const agent = createPublicAgents(who)['https:'];

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
    async send(target, text, topic, signal) {
      if (!/^https:/i.test(target.endpoint)) return { outcome: 'refused', reason: 'no https' };
      try {
        const { status, afterMs } = await once(target, text, topic, signal);
        if (status >= 200 && status < 300) return { outcome: 'sent' };
        const reason = `status ${status}`;
        if (status === 404 || status === 410) return { outcome: 'gone', reason };
        return { outcome: 'failed', reason, ...(isPassing(status) && { again: { afterMs } }) };
      } catch (error) {
        if (isNotPublic(error)) return { outcome: 'refused', reason: 'no public address' };
        return { outcome: 'failed', reason: codeOf(error), again: { afterMs: 0 } };
      }
    },
  };
}
