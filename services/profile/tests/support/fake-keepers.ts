import * as contract from '@covalence/contract/peers/privacy-api';
import { refundApproved, switchRenewal } from '@covalence/contract/peers/billing-api';
import { notifyFraud, notifyFraudOver, notifyRestored } from '@covalence/contract/peers/decisions-api';
import { countMatches } from '@covalence/contract/peers/search-api';
import { readStaffRoles } from '@covalence/contract/peers/staff-api';
import { Failure } from '@covalence/contract/failure';
import type { RolesBySite } from '@covalence/contract/staff-roles';
import { serviceEndpoint, type Routes } from '@covalence/http/endpoint';
import { z } from 'zod';

const date = '2026-05-01T12:00:00.000Z';

/** Data of the four other services on every member, merged: each contract picks its fields. */
const kept = {
  account: {
    siteid: 1,
    username: 'from-auth',
    pending_username: null,
    email: 'from-auth@example.org',
    email_confirmed_at: null,
    pending_email: null,
    protected_emails: [],
    has_password: true,
    passkeys: [],
    two_step: null,
    locale: null,
    created_at: date,
    signed_out_at: null,
    recovered_at: null,
    last_digest: null,
  },
  identities: [
    { provider: 'apple', email: null, linked_at: date, last_used_at: date, has_refresh_token: false },
  ],
  sign_ins: [
    {
      client_id: 'an-app',
      client_name: 'An app',
      platform: null,
      device_name: null,
      browser: null,
      since: date,
      last_used: date,
      until: date,
    },
  ],
  browser_sessions: [{ since: date }],
  saved_searches: [{ id: 'one', name: 'Near me', criteria: { age: { from: 30 } }, controls: {} }],
  alert_matches: [],
  match_criteria: { criteria: { smoking: { values: [10] } } },
  feed: null,
  tastes: [],
  matching: null,
  judged: { searches: 0, grades: 0, runs: 0 },
  origins: [],
  recorded_searches: [],
  index: null,
  membership: null,
  account_token: null,
  customers: [],
  subscriptions: [],
  payments: [],
  ledger: [
    { id: 'booking', kind: 'purchase', amount: 1_999, currency: 'USD', at: date, package_id: 1, rate_id: 2 },
  ],
  promo_codes: [{ code: 'WELCOME', at: date }],
  live_updates: [{ type: 'like', at: date, data: { profileid: 1 } }],
};

/** Recorded calls and settings of the fake services. */
export interface Kept {
  /** The number of new matches that search counts, by member. */
  readonly matches: Map<number, number>;
  /** Roles of the enabled staff accounts. */
  readonly staff: Map<string, RolesBySite>;
  /** The approved refunds, in order. */
  readonly refunds: z.output<typeof refundApproved.input>[];
  /** Members who were told that a deletion is over. */
  readonly restored: string[];
  /** The warnings of fraud to be mailed, in order. */
  readonly warnings: z.output<typeof notifyFraud.input>[];
  /** The mails that a warning is over, in order. */
  readonly endedWarnings: z.output<typeof notifyFraudOver.input>[];
}

/** The other services without anything. */
export const keptNothing = (): Kept => ({
  matches: new Map(),
  staff: new Map(),
  refunds: [],
  restored: [],
  warnings: [],
  endedWarnings: [],
});

/** The services that keep something of members, at one address; `note` is told of each call. */
export function fakeKeepers(
  note: (name: string) => void,
  { matches, staff, refunds, restored, warnings, endedWarnings }: Kept,
): Routes<undefined> {
  return {
    'POST /internal/matches/count': serviceEndpoint(countMatches, ({ id }) => {
      note('matches');
      return Promise.resolve({ matches: matches.get(id) ?? 0 });
    }),
    'POST /internal/members/export': serviceEndpoint(
      { input: contract.exportSearch.input, output: z.looseObject({}) },
      ({ as_known }) => {
        note('export');
        if (!as_known) return Promise.resolve(kept);
        const { id, visible, photo } = as_known;
        return Promise.resolve({ ...kept, index: { id, visible, photo } });
      },
    ),
    'POST /internal/members/erase': serviceEndpoint(contract.eraseMember, () => {
      note('erase');
      return Promise.resolve({});
    }),
    'POST /internal/staff/read': serviceEndpoint(readStaffRoles, ({ staff_id }) => {
      const roles = staff.get(staff_id) ?? {};
      return Promise.resolve({ roles: roles as Record<string, 'moderator'[]> });
    }),
    'POST /internal/memberships/refund': serviceEndpoint(refundApproved, (input) => {
      note('refund');
      if (input.request.refund === 'refused') throw new Failure(403, 'Payment Cannot Be Refunded');
      refunds.push(input);
      return Promise.resolve({});
    }),
    'POST /internal/accounts/notify-restored': serviceEndpoint(notifyRestored, ({ member_id }) => {
      restored.push(member_id);
      return Promise.resolve({});
    }),
    'POST /internal/accounts/notify-fraud': serviceEndpoint(notifyFraud, (input) => {
      note('notify-fraud');
      warnings.push(input);
      return Promise.resolve({});
    }),
    'POST /internal/accounts/notify-fraud-over': serviceEndpoint(notifyFraudOver, (input) => {
      endedWarnings.push(input);
      return Promise.resolve({});
    }),
    'POST /internal/memberships/renewal': serviceEndpoint(switchRenewal, () => {
      note('stop-renewal');
      return Promise.resolve({ membership: null });
    }),
  };
}
