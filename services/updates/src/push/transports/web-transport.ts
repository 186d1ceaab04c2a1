import { createPublicAgents, isNotPublic, type PublicAgentOptions } from '@covalence/http/public-agents';
import https, { type RequestOptions } from 'node:https';
import webPush from 'web-push';
import { retryAfterMs } from './retry-after.ts';
import {
  codeOf,
  isUrgent,
  lifetimeMs,
  type PushContent,
  type PushDevice,
  type PushResult,
  type Transport,
} from './transport.ts';

/** The keys that identify this server to push services (RFC 8292). */
export interface Vapid {
  readonly publicKey: string;
  readonly privateKey: string;
  /** A `mailto:` or `https:` address where a push service reaches the operator. */
  readonly subject: string;
}

/** Keys, limits, and replacements for tests. */
export interface WebTransportOptions extends PublicAgentOptions {
  readonly vapid: Vapid;
  readonly timeoutMs?: number;
}

interface Answer {
  readonly status: number;
  readonly afterMs: number;
}

const isTransient = (status: number) => status === 429 || status >= 500;

/** The JSON that a browser's service worker receives. */
const payloadOf = ({ type, title, body, lang, tag, at, data }: PushContent): string =>
  JSON.stringify({ type, title, body, lang, tag, at, data });

/**
 * Creates the transport of web push (RFC 8030). Clients choose the endpoints, so connections go to public addresses over https only, redirects are not
 * followed, response bodies are not read, and each attempt has a time limit.
 */
export function createWebTransport({ vapid, timeoutMs = 5_000, ...agents }: WebTransportOptions): Transport {
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
    { endpoint, p256dh = '', auth = '' }: PushDevice,
    content: PushContent,
    signal: AbortSignal,
  ): Promise<Answer> => {
    const details = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payloadOf(content), {
      vapidDetails: vapid,
      TTL: lifetimeMs / 1_000,
      // A later message of a type replaces one that the push service still stores.
      topic: content.type,
      urgency: isUrgent(content.type) ? 'high' : 'normal',
      contentEncoding: 'aes128gcm',
    });
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    return post(endpoint, { method: 'POST', headers: details.headers, signal: limited }, details.body);
  };

  return {
    async send(device: PushDevice, content: PushContent, signal: AbortSignal): Promise<PushResult> {
      if (!/^https:/i.test(device.endpoint)) return { outcome: 'refused', reason: 'not https' };
      try {
        const { status, afterMs } = await once(device, content, signal);
        if (status >= 200 && status < 300) return { outcome: 'sent' };
        const reason = `status ${status}`;
        if (status === 404 || status === 410) return { outcome: 'gone', reason };
        return { outcome: 'failed', reason, ...(isTransient(status) && { retry: { afterMs } }) };
      } catch (error) {
        if (isNotPublic(error)) return { outcome: 'refused', reason: 'address is not public' };
        return { outcome: 'failed', reason: codeOf(error), retry: { afterMs: 0 } };
      }
    },
    close: () => agent.destroy(),
  };
}
