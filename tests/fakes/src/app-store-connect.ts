import { listenLocally } from '@covalence/testing/listen-locally';
import { importSPKI, jwtVerify } from 'jose';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** A price of a subscription: the territory is ISO 3166-1 alpha-3, the customer price a decimal. */
export interface ConnectPrice {
  readonly territory: string;
  readonly currency: string;
  readonly customerPrice: string;
  readonly startDate?: string;
  /** Whether it is that of earlier buyers only. */
  readonly preserved?: boolean;
}

/** A subscription of the app. */
export interface ConnectSubscription {
  readonly productId: string;
  readonly state?: string;
  readonly subscriptionPeriod: string;
  readonly prices: readonly ConnectPrice[];
}

const pageSize = 2;

/**
 * Starts App Store Connect on loopback: subscription groups, subscriptions and prices of one app, in pages of two, with the answers of
 * Apple's documentation.
 */
export async function startAppStoreConnect(appId: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const access = {
    issuer_id: randomUUID(),
    key_id: '6F44JJ9SDF',
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
  let groups: readonly (readonly ConnectSubscription[])[] = [];
  let port = 0;

  const isAdmitted = async ({ headers }: IncomingMessage) =>
    jwtVerify(headers.authorization?.replace('Bearer ', '') ?? '', await importSPKI(publicPem, 'ES256'), {
      audience: 'appstoreconnect-v1',
      issuer: access.issuer_id,
      maxTokenAge: '20m',
    }).then(
      ({ protectedHeader }) => protectedHeader.kid === access.key_id,
      () => false,
    );

  const list = (url: URL, all: readonly object[], included: readonly object[] = []) => {
    const from = Number(url.searchParams.get('cursor') ?? 0);
    const next = new URL(`${url.pathname}${url.search}`, `http://127.0.0.1:${port}`);
    next.searchParams.set('cursor', `${from + pageSize}`);
    return {
      data: all.slice(from, from + pageSize),
      ...(included.length && { included }),
      links: { self: url.href, ...(from + pageSize < all.length && { next: next.href }) },
      meta: { paging: { total: all.length, limit: pageSize } },
    };
  };

  const answer = (url: URL): object | undefined => {
    if (url.pathname === `/v1/apps/${appId}/subscriptionGroups`)
      return list(
        url,
        groups.map((_group, id) => ({
          type: 'subscriptionGroups',
          id: `${id}`,
          attributes: { referenceName: 'Platinum' },
        })),
      );
    const [, group] = /^\/v1\/subscriptionGroups\/(\d+)\/subscriptions$/.exec(url.pathname) ?? [];
    if (group !== undefined)
      return list(
        url,
        (groups[Number(group)] ?? []).map(
          ({ prices: _prices, state = 'APPROVED', ...attributes }, index) => ({
            type: 'subscriptions',
            id: `${group}-${index}`,
            attributes: { name: attributes.productId, familySharable: false, state, ...attributes },
          }),
        ),
      );
    const [, of, index] = /^\/v1\/subscriptions\/(\d+)-(\d+)\/prices$/.exec(url.pathname) ?? [];
    const found = groups[Number(of)]?.[Number(index)];
    if (!found) return undefined;
    const isIncluded = url.searchParams.get('include') === 'subscriptionPricePoint,territory';
    return list(
      url,
      found.prices.map(({ territory, startDate = null, preserved = false }, id) => ({
        type: 'subscriptionPrices',
        id: `${id}`,
        attributes: { startDate, preserved },
        relationships: {
          territory: { data: { type: 'territories', id: territory } },
          subscriptionPricePoint: { data: { type: 'subscriptionPricePoints', id: `p${id}` } },
        },
      })),
      isIncluded
        ? found.prices.flatMap(({ territory, currency, customerPrice }, id) => [
            { type: 'territories', id: territory, attributes: { currency } },
            { type: 'subscriptionPricePoints', id: `p${id}`, attributes: { customerPrice, proceeds: '0' } },
          ])
        : [],
    );
  };

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const isKnown = await isAdmitted(request);
    const found = isKnown ? answer(new URL(request.url ?? '/', 'http://fake')) : undefined;
    const status = isKnown ? (found ? 200 : 404) : 401;
    const error = { status: `${status}`, code: isKnown ? 'NOT_FOUND' : 'NOT_AUTHORIZED' };
    response
      .writeHead(status, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(found ?? { errors: [error] }));
  };
  const server = createServer((request, response) => void respond(request, response));
  port = await listenLocally(server);

  return {
    url: `http://127.0.0.1:${port}`,
    /** The key as the setting has it. */
    access,
    /** Sets the subscriptions that the app sells, by group. */
    sell(...all: readonly (readonly ConnectSubscription[])[]) {
      groups = all;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
