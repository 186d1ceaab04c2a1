import {
  APIError,
  APIException,
  AppStoreServerAPIClient,
  Environment,
  GetTransactionHistoryVersion,
  Order,
  ProductType,
  type HistoryResponse,
  type NotificationHistoryResponse,
} from '@apple/app-store-server-library';
import { unavailable } from '@covalence/contract/failure';
import type { AppStoreApp } from './app-store-apps.ts';

const timeoutMs = 5_000;
/** Pages of a history, of 20 entries each; more than a century of monthly payments. */
const mostPages = 1_000;
const tooLong = () => unavailable(new Error(`the App Store has more than ${mostPages} pages`));

/** Apple's client with a time limit, and the address of tests. */
class Client extends AppStoreServerAPIClient {
  readonly #url: string;

  constructor({ key, key_id, issuer_id, bundle_id, environment }: AppStoreApp, apiUrl: string | undefined) {
    const isLive = environment === 'Production';
    const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString();
    super(pem, key_id, issuer_id, bundle_id, isLive ? Environment.PRODUCTION : Environment.SANDBOX);
    this.#url = apiUrl ?? `https://api.storekit${isLive ? '' : '-sandbox'}.itunes.apple.com`;
  }

  protected override makeFetchRequest(
    ...[path, query, method, body, headers]: Parameters<AppStoreServerAPIClient['makeFetchRequest']>
  ): ReturnType<AppStoreServerAPIClient['makeFetchRequest']> {
    const options = {
      method,
      headers,
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    } as RequestInit;
    const response: Promise<unknown> = fetch(`${this.#url}${path}?${query.toString()}`, options);
    return response as ReturnType<AppStoreServerAPIClient['makeFetchRequest']>;
  }
}

const unknown: readonly unknown[] = [
  APIError.ACCOUNT_NOT_FOUND,
  APIError.ORIGINAL_TRANSACTION_ID_NOT_FOUND,
  APIError.TRANSACTION_ID_NOT_FOUND,
];

/** Undefined where Apple does not know the transaction; any other error means that the store is unavailable. */
async function unlessUnknown<Result>(call: Promise<Result>): Promise<Result | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof APIException && unknown.includes(error.apiError)) return undefined;
    throw unavailable(error);
  }
}

/** Creates the calls of the App Store Server API that are used, for one app. Signed texts in the answers are not checked here. */
export function createAppStoreApi(app: AppStoreApp, apiUrl: string | undefined) {
  const client = new Client(app, apiUrl);
  return {
    /** The latest transaction of a subscription with its status, signed. */
    async statusOf(original: string) {
      const answer = await unlessUnknown(client.getAllSubscriptionStatuses(original));
      return answer?.data
        ?.flatMap(({ lastTransactions = [] }) => lastTransactions)
        .find(({ originalTransactionId }) => originalTransactionId === original);
    },
    /** Every transaction of the buyer of a subscription, oldest first, signed. */
    async historyOf(original: string): Promise<string[]> {
      const request = { sort: Order.ASCENDING, productTypes: [ProductType.AUTO_RENEWABLE] };
      const all: string[] = [];
      let revision: string | null = null;
      for (let page = 0; page < mostPages; page += 1) {
        const answer: HistoryResponse | undefined = await unlessUnknown(
          client.getTransactionHistory(original, revision, request, GetTransactionHistoryVersion.V2),
        );
        all.push(...(answer?.signedTransactions ?? []));
        if (!answer?.hasMore || !answer.revision) return all;
        revision = answer.revision;
      }
      throw tooLong();
    },
    /** Notifications since a time that did not arrive, signed. */
    async *failedNotifications(since: Date, until: Date): AsyncGenerator<string> {
      const request = { startDate: since.getTime(), endDate: until.getTime(), onlyFailures: true };
      let token: string | null = null;
      for (let page = 0; page < mostPages; page += 1) {
        const answer: NotificationHistoryResponse | undefined = await unlessUnknown(
          client.getNotificationHistory(token, request),
        );
        for (const { signedPayload } of answer?.notificationHistory ?? [])
          if (signedPayload) yield signedPayload;
        if (!answer?.hasMore || !answer.paginationToken) return;
        token = answer.paginationToken;
      }
      throw tooLong();
    },
  };
}
