import { listenLocally } from '@covalence/testing/listen-locally';
import { importSPKI, jwtVerify } from 'jose';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createAppStoreBook, type AppStoreApp } from './app-store-book.ts';
import { certificates, type signingKeys } from './app-store-certificates.ts';

export type { AppStoreNotice, AppStorePurchase } from './app-store-book.ts';

/** Faults of the API; `away` closes connections, `slow` never responds, the others return Apple's error. */
export type AppStoreFault = 'away' | 'slow' | 'rate_limit' | 'unauthorized' | 'internal';

const errors: Record<Exclude<AppStoreFault, 'away' | 'slow'>, readonly [number, object | undefined]> = {
  rate_limit: [429, { errorCode: 4_290_000, errorMessage: 'Rate limit exceeded.' }],
  unauthorized: [401, undefined],
  internal: [500, { errorCode: 5_000_000, errorMessage: 'An unknown error occurred.' }],
};

const pageOf = <Item>(all: readonly Item[], from: string | null) => {
  const start = Number(from ?? 0);
  const items = all.slice(start, start + 20);
  return { items, next: `${start + items.length}`, hasMore: start + 20 < all.length };
};

/**
 * Starts an App Store on loopback: subscriptions that a test drives, signed transactions, notifications (version 2), and the calls of
 * the App Store Server API for subscriptions, with the answers of Apple's documentation. Notifications are collected, not sent: a test
 * delivers them in the order that it likes, or not.
 */
export async function startAppStore(app: AppStoreApp) {
  const { appId, bundleId, environment = 'Production' } = app;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const issuerId = randomUUID();
  const keyId = '2X9R4HXF34';
  const { acts, notices, notice, get, find, latest, transactionText, renewalText } = createAppStoreBook(app);
  let fault: AppStoreFault | undefined;
  let asked = 0;
  let hold: { readonly reached: () => void; readonly released: Promise<void> } | undefined;

  const answer = async (request: IncomingMessage): Promise<readonly [number, object | undefined]> => {
    const url = new URL(request.url ?? '/', 'http://fake');
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const verified = await jwtVerify(bearer, await importSPKI(publicPem, 'ES256'), {
      audience: 'appstoreconnect-v1',
      issuer: issuerId,
    }).catch(() => undefined);
    if (verified?.protectedHeader.kid !== keyId || verified.payload['bid'] !== bundleId)
      return errors.unauthorized;
    const [, version, call, id = ''] =
      /^\/inApps\/(v\d)\/(subscriptions|history|notifications)\/(\w+)$/.exec(url.pathname) ?? [];
    if (call === 'notifications' && id === 'history') {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      const { startDate, endDate } = JSON.parse(body) as { startDate: number; endDate: number };
      const failed = notices.filter(({ at }) => at >= startDate && at <= endDate);
      const { items, next, hasMore } = pageOf(failed, url.searchParams.get('paginationToken'));
      const notificationHistory = items.map((one) => ({
        ...one.body,
        sendAttempts: [{ attemptDate: one.at, sendAttemptResult: 'TIMED_OUT' }],
      }));
      return [200, { notificationHistory, hasMore, ...(hasMore && { paginationToken: next }) }];
    }
    const subscription = get(id);
    if (!subscription) return [404, { errorCode: 4_040_010, errorMessage: 'Transaction id not found.' }];
    asked += 1;
    if (call === 'subscriptions')
      return [
        200,
        {
          environment,
          bundleId,
          appAppleId: Number(appId),
          data: [
            {
              subscriptionGroupIdentifier: '20571234',
              lastTransactions: [
                {
                  originalTransactionId: id,
                  status: subscription.status,
                  signedRenewalInfo: await renewalText(subscription),
                  signedTransactionInfo: await transactionText(subscription, latest(subscription)),
                },
              ],
            },
          ],
        },
      ];
    if (call !== 'history' || version !== 'v2') return [404, undefined];
    const { items, next, hasMore } = pageOf(subscription.transactions, url.searchParams.get('revision'));
    const signedTransactions = await Promise.all(items.map((one) => transactionText(subscription, one)));
    return [
      200,
      { revision: next, hasMore, bundleId, appAppleId: Number(appId), environment, signedTransactions },
    ];
  };

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (fault === 'away') return void request.socket.destroy();
    if (fault === 'slow') return;
    const [status, body] = fault ? errors[fault] : await answer(request);
    if (hold && request.url?.includes('/history/')) {
      const { reached, released } = hold;
      hold = undefined;
      reached();
      await released;
    }
    response.writeHead(status, body && { 'Content-Type': 'application/json' });
    response.end(body && JSON.stringify(body));
  };
  const server = createServer((request, response) => void respond(request, response));
  const port = await listenLocally(server);

  return {
    ...acts,
    url: `http://127.0.0.1:${port}`,
    /** The root certificate, PEM. */
    root: certificates.root,
    /** The key of the API, as App Store Connect shows it. */
    access: { issuer_id: issuerId, key_id: keyId, key },
    /** Every notification so far, oldest first. */
    notices,
    /** A notification without a change. */
    notice,
    /** The signed transaction that StoreKit gives the app. */
    receipt: (original: string, signer?: keyof typeof signingKeys): Promise<string> =>
      transactionText(find(original), latest(find(original)), signer),
    /** The number of answered questions about subscriptions. */
    asked: () => asked,
    /** Holds the next answer about a subscription back until the first function is called; the promise resolves when it is held. */
    holdNext(): readonly [release: () => void, isHeld: Promise<void>] {
      const held = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      hold = { reached: held.resolve, released: released.promise };
      return [released.resolve, held.promise];
    },
    failWith(next: AppStoreFault | undefined) {
      fault = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A running fake. */
export type AppStore = Awaited<ReturnType<typeof startAppStore>>;
