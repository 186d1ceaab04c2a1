import type { z } from 'zod';
import * as appealsApi from './appeals-api.ts';
import * as approvalsApi from './approvals-api.ts';
import * as authApi from './auth-api.ts';
import * as billingApi from './billing-api.ts';
import * as decisionsApi from './decisions-api.ts';
import * as operationsApi from './operations-api.ts';
import * as privacyApi from './privacy-api.ts';
import * as profileApi from './profile-api.ts';
import * as profileForSearchApi from './profile-for-search-api.ts';
import * as searchApi from './search-api.ts';
import * as staffApi from './staff-api.ts';
import type { InternalCaller, InternalService } from './callers.ts';
import type { Exchange } from './exchange.ts';

type ExchangesOf<Exports> = {
  [Name in keyof Exports as Exports[Name] extends Exchange ? Name : never]: Exports[Name];
};

/** The exchanges among the exports of a file. */
const exchangesOf = <Exports extends object>(exports: Exports) =>
  Object.fromEntries(
    Object.entries(exports).filter(
      ([, one]: [string, unknown]) => typeof one === 'object' && one !== null && 'callers' in one,
    ),
  ) as ExchangesOf<Exports>;

const { eraseMember } = privacyApi;
const { readStatus, readOperations, readDeadLetters, settleDeadLetters } = operationsApi;
const letters = { readDeadLetters, settleDeadLetters };

/** Every /internal endpoint by service and name: its path, callers, input and output. */
export const internalApi = {
  auth: {
    ...exchangesOf(authApi),
    ...exchangesOf(decisionsApi),
    ...exchangesOf(staffApi),
    eraseMember,
    exportMember: privacyApi.exportAccount,
    readStatus,
  },
  profile: {
    ...exchangesOf(profileApi),
    ...exchangesOf(profileForSearchApi),
    ...exchangesOf(appealsApi),
    ...exchangesOf(approvalsApi),
    readOperations,
  },
  search: {
    ...exchangesOf(searchApi),
    eraseMember,
    exportMember: privacyApi.exportSearch,
    readStatus,
    ...letters,
  },
  billing: {
    ...exchangesOf(billingApi),
    eraseMember,
    exportMember: privacyApi.exportBilling,
    readStatus,
  },
  updates: { eraseMember, exportMember: privacyApi.exportUpdates, readStatus, ...letters },
} as const satisfies Readonly<Record<InternalService, Readonly<Record<string, Exchange>>>>;

type Api = typeof internalApi;

/** The paths of the /internal endpoints of a service. */
export type InternalPath<Service extends InternalService> = {
  [Name in keyof Api[Service]]: Api[Service][Name] extends { readonly path: infer Path extends string }
    ? Path
    : never;
}[keyof Api[Service]];

/** Lets callers pass read-only lists and records. */
type DeepReadonly<Value> = Value extends object
  ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
  : Value;

/** One function for each /internal endpoint of a service. */
export type InternalClient<Service extends InternalService> = {
  readonly [Name in keyof Api[Service]]: Api[Service][Name] extends Exchange
    ? (
        input: DeepReadonly<z.input<Api[Service][Name]['input']>>,
      ) => Promise<z.output<Api[Service][Name]['output']>>
    : never;
};

/** The callers of one endpoint; undefined for an unknown path. */
export function callersAt(service: InternalService, path: string): readonly InternalCaller[] | undefined {
  return Object.values<Exchange>(internalApi[service]).find((exchange) => exchange.path === path)?.callers;
}
