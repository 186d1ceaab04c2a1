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

/** Sends messages to devices. */
export interface PushSender {
  /** Encrypts and sends a text; a later one of the same topic takes the place of one that waits. Never throws. */
  send(target: PushTarget, text: string, topic: string): Promise<PushOutcome>;
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

const isPassing = (status: number) => status === 429 || status >= 500;

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

  /** One try: an outcome, or for how long to wait before the next. */
  const attempt = async (target: PushTarget, text: string, topic: string, pauseMs: number) => {
    try {
      const { status, retryAfterMs } = await once(target, text, topic);
      if (status >= 200 && status < 300) return 'sent';
      if (status === 404 || status === 410) return 'gone';
      return isPassing(status) ? (retryAfterMs ?? pauseMs) : 'failed';
    } catch (error) {
      return isNotPublic(error) ? 'refused' : pauseMs;
    }
  };

  return {
    async send(target, text, topic) {
      if (!/^https:/i.test(target.endpoint)) return 'refused';
      for (const pauseMs of pausesMs) {
        const outcome = await attempt(target, text, topic, pauseMs);
        if (typeof outcome === 'string') return outcome;
        await wait(outcome);
      }
      const last = await attempt(target, text, topic, 0);
      return typeof last === 'string' ? last : 'failed';
    },
  };
}
