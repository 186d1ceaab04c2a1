import { listenLocally } from '@covalence/testing/listen-locally';
import { exportJWK, SignJWT } from 'jose';
import { generateKeyPairSync, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { createGooglePlayBook, type GooglePlayApp, type GooglePlayNotice } from './google-play-book.ts';
import { createServiceAccount } from './google-token.ts';

export type { GooglePlayNotice, GooglePlayPurchase } from './google-play-book.ts';

/**
 * Faults of Google; `away` closes connections, `slow` never responds, `lost` executes the request and closes
 * the connection, the others return Google's error.
 */
export type GooglePlayFault = 'away' | 'slow' | 'lost' | 'quota' | 'unauthorized' | 'internal';

type Answer = readonly [number, object];

/** An error as the API answers it. */
const failure = (code: number, reason: string, message: string): Answer => [
  code,
  { error: { code, message, errors: [{ message, domain: 'androidpublisher', reason }] } },
];

const faults: Record<Exclude<GooglePlayFault, 'away' | 'slow' | 'lost'>, Answer> = {
  quota: failure(429, 'rateLimitExceeded', 'Quota exceeded for quota metric.'),
  unauthorized: failure(401, 'permissionDenied', 'The current user has insufficient permissions.'),
  internal: failure(500, 'backendError', 'Internal error encountered.'),
};

/** Subscriptions with base plans, and their offers. */
export interface GooglePlayCatalog {
  readonly subscriptions: readonly object[];
  readonly offers: readonly object[];
}

/** A page of a list; an empty list has no field, as Google has it. */
const pageOf = (
  name: string,
  all: readonly object[],
  { from, size }: { from: number; size: number },
): { nextPageToken?: string } => ({
  ...(all.length && { [name]: all.slice(from, from + size) }),
  ...(from + size < all.length && { nextPageToken: `${from + size}` }),
});

const unknownToken = failure(404, 'purchaseTokenNotFound', 'The purchase token was not found.');

/**
 * Starts Google on loopback: purchases that a test drives, the calls of the Google Play Developer API for subscriptions with the
 * answers of its documentation, access tokens of a service account, and the keys that Pub/Sub signs its pushes with. Notifications
 * are collected, not sent.
 */
export async function startGooglePlay(app: GooglePlayApp) {
  const { packageName } = app;
  const pubSub = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const pubSubKey = { ...(await exportJWK(pubSub.publicKey)), kid: 'pub-sub', alg: 'RS256', use: 'sig' };
  const account = createServiceAccount(
    'play@example.iam.gserviceaccount.com',
    'https://www.googleapis.com/auth/androidpublisher',
  );
  const push = {
    push_audience: 'https://api.example/packages/webhook/google_play',
    push_email: 'push@example.iam.gserviceaccount.com',
  };
  const book = createGooglePlayBook(app);
  let failing: { readonly fault: GooglePlayFault; readonly calls: string } | undefined;
  let sold: GooglePlayCatalog = { subscriptions: [], offers: [] };

  const api = (method: string, url: URL): Answer => {
    const path = url.pathname.replace(`/androidpublisher/v3/applications/${packageName}/`, '');
    const [, seen] = /^purchases\/subscriptionsv2\/tokens\/([^/]+)$/.exec(path) ?? [];
    if (seen !== undefined) {
      const purchase = book.purchaseOf(decodeURIComponent(seen));
      return purchase ? [200, purchase] : unknownToken;
    }
    const [, product = '', token] =
      /^purchases\/subscriptions\/([^/]+)\/tokens\/([^/]+):acknowledge$/.exec(path) ?? [];
    if (token !== undefined && method === 'POST')
      return book.acknowledge(decodeURIComponent(token), product) ? [200, {}] : unknownToken;
    if (path === 'orders:batchGet') {
      const orders = url.searchParams.getAll('orderIds').map((id) => book.orderOf(id));
      return orders.every((one) => one !== undefined)
        ? [200, { orders }]
        : failure(404, 'orderNotFound', 'Order not found.');
    }
    const [, id] = /^orders\/([^/]+)$/.exec(path) ?? [];
    const order = id === undefined ? undefined : book.orderOf(decodeURIComponent(id));
    if (order) return [200, order];
    const page = { from: Number(url.searchParams.get('pageToken') ?? 0), size: 2 };
    if (path === 'subscriptions') return [200, pageOf('subscriptions', sold.subscriptions, page)];
    if (path === 'subscriptions/-/basePlans/-/offers')
      return [200, pageOf('subscriptionOffers', sold.offers, page)];
    if (path === 'purchases/voidedpurchases') {
      const { startTime = '0', endTime } = Object.fromEntries(url.searchParams);
      // As Google has it: not later than its clock.
      if (Number(endTime) > app.clock().getTime()) return failure(400, 'invalid', 'Invalid endTime.');
      const until = endTime === undefined ? Infinity : Number(endTime);
      const from = Number(url.searchParams.get('token') ?? 0);
      const { nextPageToken, ...list } = pageOf(
        'voidedPurchases',
        book.voidedBetween(Number(startTime), until),
        { from, size: 2 },
      );
      return [200, { ...list, ...(nextPageToken !== undefined && { tokenPagination: { nextPageToken } }) }];
    }
    return failure(404, 'notFound', 'Not found.');
  };

  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const url = new URL(request.url ?? '/', 'http://fake');
    if (url.pathname === '/token') {
      const { status, body } = await account.answerTo(new URLSearchParams(await text(request)));
      return [status, body];
    }
    if (url.pathname === '/certs') return [200, { keys: [pubSubKey] }];
    const bearer = request.headers.authorization?.replace('Bearer ', '') ?? '';
    return account.isValid(bearer) ? api(request.method ?? 'GET', url) : faults.unauthorized;
  };

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const fault = failing && request.url?.includes(failing.calls) ? failing.fault : undefined;
    if (fault === 'slow') return;
    if (fault === 'lost') await answer(request);
    if (fault === 'lost' || fault === 'away') return void request.socket.destroy();
    const [status, body] = fault ? faults[fault] : await answer(request);
    response
      .writeHead(status, { 'Content-Type': 'application/json; charset=UTF-8' })
      .end(JSON.stringify(body));
  };
  const server = createServer((request, response) => void respond(request, response));
  const port = await listenLocally(server);

  return {
    ...book.acts,
    url: `http://127.0.0.1:${port}`,
    /** The app as a setting has it. */
    app: {
      package_name: packageName,
      client_email: account.email,
      private_key: account.privateKey,
      ...push,
      test_purchases: false,
    },
    /** Every notification so far, oldest first. */
    notices: book.notices,
    acknowledged: book.acknowledged,
    /** The request that Pub/Sub pushes: the body, and the token that it signs; `claims` replaces some of it. */
    async pushOf(notice: Pick<GooglePlayNotice, 'notification'>, claims: object = {}) {
      const data = Buffer.from(JSON.stringify(notice.notification)).toString('base64');
      const jwt = new SignJWT({
        email: push.push_email,
        email_verified: true,
        aud: push.push_audience,
        iss: 'https://accounts.google.com',
        ...claims,
      });
      const token = await jwt
        .setProtectedHeader({ alg: 'RS256', kid: 'pub-sub' })
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(pubSub.privateKey);
      const [messageId, publishTime] = [`${randomInt(1e12)}`, new Date().toISOString()];
      // Pub/Sub has some fields in both spellings.
      const spellings = { messageId, message_id: messageId, publishTime, publish_time: publishTime };
      const message = { attributes: {}, data, ...spellings, orderingKey: '' };
      const subscription = 'projects/example/subscriptions/play';
      return { authorization: `Bearer ${token}`, body: { deliveryAttempt: 1, message, subscription } };
    },
    /** The subscriptions and offers that the console has, as the API answers them. */
    sell(catalog: GooglePlayCatalog) {
      sold = catalog;
    },
    /** Fails from now on, at calls whose address has a part; undefined ends it. */
    failWith(fault: GooglePlayFault | undefined, calls = '') {
      failing = fault && { fault, calls };
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A running fake. */
export type GooglePlay = Awaited<ReturnType<typeof startGooglePlay>>;
