import type { z } from 'zod';
import * as authApi from './auth-api.ts';
import * as billingApi from './billing-api.ts';
import * as privacyApi from './privacy-api.ts';
import * as profileApi from './profile-api.ts';
import type { InternalCaller, InternalService } from './callers.ts';
import type { Exchange } from './exchange.ts';

/** Every /internal endpoint by service and name: its path, callers, input and output. */
export const internalApi = {
  auth: {
    verifyClient: authApi.verifyClient,
    checkAccount: authApi.checkAccount,
    reserveAccount: authApi.reserveAccount,
    confirmAccount: authApi.confirmAccount,
    issueCode: authApi.issueCode,
    claimUsername: authApi.claimUsername,
    applyUsername: authApi.applyUsername,
    changeEmail: authApi.changeEmail,
    readEmail: authApi.readEmail,
    endSessions: authApi.endSessions,
    notifyDeletion: authApi.notifyDeletion,
    importAccounts: authApi.importAccounts,
    confirmImported: authApi.confirmImported,
    createClient: authApi.createClient,
    listClients: authApi.listClients,
    setRedirects: authApi.setRedirects,
    setClientSettings: authApi.setClientSettings,
    addSecret: authApi.addSecret,
    retireSecret: authApi.retireSecret,
    disableClient: authApi.disableClient,
    createStaff: authApi.createStaff,
    changeStaffPassword: authApi.changeStaffPassword,
    listStaff: authApi.listStaff,
    disableStaff: authApi.disableStaff,
    issueStaffToken: authApi.issueStaffToken,
    rotateKeys: authApi.rotateKeys,
    listKeys: authApi.listKeys,
    eraseMember: privacyApi.eraseMember,
    exportMember: privacyApi.exportAccount,
  },
  profile: {
    memberState: profileApi.memberState,
    memberLocale: profileApi.memberLocale,
    reactivateMember: profileApi.reactivateMember,
    settleMember: profileApi.settleMember,
    takeMembership: profileApi.takeMembership,
    renderRecords: profileApi.renderRecords,
    readViewer: profileApi.readViewer,
    readProjections: profileApi.readProjections,
    exportProjections: profileApi.exportProjections,
    importMembers: profileApi.importMembers,
    addPushDevice: profileApi.addPushDevice,
    removePushDevices: profileApi.removePushDevices,
    presenceRecipients: profileApi.presenceRecipients,
    pushTargets: profileApi.pushTargets,
  },
  search: {
    eraseMember: privacyApi.eraseMember,
    exportMember: privacyApi.exportSearch,
  },
  billing: {
    importMemberships: billingApi.importMemberships,
    switchRenewal: billingApi.switchRenewal,
    eraseMember: privacyApi.eraseMember,
    exportMember: privacyApi.exportBilling,
  },
  updates: {
    eraseMember: privacyApi.eraseMember,
    exportMember: privacyApi.exportUpdates,
  },
} as const satisfies Readonly<Record<InternalService, Readonly<Record<string, Exchange>>>>;

type Api = typeof internalApi;

/** The paths of the /internal endpoints of a service. */
export type InternalPath<Service extends InternalService> = {
  [Name in keyof Api[Service]]: Api[Service][Name] extends { readonly path: infer Path extends string }
    ? Path
    : never;
}[keyof Api[Service]];

/** A value that may be frozen: callers pass lists and records that they do not own. */
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
