import { createPublicAgents, isNotPublic, type PublicAgentOptions } from '@covalence/http/public-agents';
import https, { type RequestOptions } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import webPush from 'web-push';

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

/** What became of a message; where it was not sent, why: the push service's status, or the code of an error. */
export interface PushResult {
  readonly outcome: PushOutcome;
  readonly reason?: string;
}

/** Sends messages to devices. */
export interface PushSender {
  /** Encrypts and sends a text; a later one of the same topic takes the place of one that waits. Never throws. */
  send(target: PushTarget, text: string, topic: string): Promise<PushResult>;
}

/** Bounds of sending, and what tests replace. */
export interface PushSenderOptions extends PublicAgentOptions {
  readonly vapid: Vapid;
  readonly timeoutMs?: number;
  /** Pauses before the second and third try. */
  readonly pausesMs?: readonly number[];
}

/** How long a push service keeps a message for a device that is away, seconds. */
const lifetime = 86_400;
/** What a push service may ask to wait before the next try, at most. */
const longestPauseMs = 5_000;

interface Answer {
  readonly status: number;
  readonly retryAfterMs: number | undefined;
}

/** One try: what became of it, and for how long to wait before the next where that may mend it. */
interface Attempt extends PushResult {
  readonly againAfterMs?: number;
}

const isPassing = (status: number) => status === 429 || status >= 500;

/** An error by its code: its message may name an address. */
const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'error';

/**
 * Creates the sender. Endpoints are named by members, so connections go to public addresses over https only, redirects
 * are not followed, nothing of an answer is read but its head, and each try has its time.
 */
export function createPushSender({
  vapid,
  timeoutMs = 5_000,
  pausesMs = [500, 2_000],
  ...who
}: PushSenderOptions): PushSender {
  const agent = createPublicAgents(who)['https:'];

  const post = (endpoint: string, options: RequestOptions, body: Buffer): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const signal = AbortSignal.timeout(timeoutMs);
      const request = https.request(endpoint, { ...options, agent, signal }, (response) => {
        const seconds = Number(response.headers['retry-after']);
        resolve({
          status: response.statusCode ?? 0,
          retryAfterMs: Number.isFinite(seconds) ? Math.min(seconds * 1_000, longestPauseMs) : undefined,
        });
        response.destroy();
      });
      request.once('error', reject);
      request.end(body);
    });

  const once = async (target: PushTarget, text: string, topic: string): Promise<Answer> => {
    const { endpoint, p256dh, auth } = target;
    const details = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
      vapidDetails: vapid,
      TTL: lifetime,
      topic,
      urgency: 'normal',
      contentEncoding: 'aes128gcm',
    });
    return post(endpoint, { method: 'POST', headers: details.headers }, details.body);
  };

  const attempt = async (
    target: PushTarget,
    text: string,
    topic: string,
    pauseMs: number,
  ): Promise<Attempt> => {
    try {
      const { status, retryAfterMs } = await once(target, text, topic);
      if (status >= 200 && status < 300) return { outcome: 'sent' };
      const reason = `status ${status}`;
      if (status === 404 || status === 410) return { outcome: 'gone', reason };
      const again = isPassing(status) && { againAfterMs: retryAfterMs ?? pauseMs };
      return { outcome: 'failed', reason, ...again };
    } catch (error) {
      if (isNotPublic(error)) return { outcome: 'refused', reason: 'no public address' };
      return { outcome: 'failed', reason: codeOf(error), againAfterMs: pauseMs };
    }
  };

  return {
    async send(target, text, topic) {
      if (!/^https:/i.test(target.endpoint)) return { outcome: 'refused', reason: 'no https' };
      for (const pauseMs of pausesMs) {
        const { againAfterMs, ...result } = await attempt(target, text, topic, pauseMs);
        if (againAfterMs === undefined) return result;
        await wait(againAfterMs);
      }
      const { againAfterMs: _last, ...result } = await attempt(target, text, topic, 0);
      return result;
    },
  };
}
