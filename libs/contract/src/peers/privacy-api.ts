import { z } from 'zod';
import { membershipStatuses } from '../members/record.ts';
import { projectionSchema } from '../events/search-projection.ts';
import { slowCallMs, type Exchange } from './exchange.ts';

const date = z.iso.datetime();

/** Days between the deletion of a profile by its member and the erasure. */
export const deletionDays = 30;

/** The member to export or erase. Services store one id or the other. */
const privacySubject = z.object({ member_id: z.uuid(), id: z.int().positive() });

/** The member to export or erase. */
export type PrivacySubject = z.infer<typeof privacySubject>;

/** Erases everything that the service stores about a member. Idempotent. A successful response means that it is done. */
export const eraseMember = {
  path: '/internal/members/erase',
  callers: ['profile'],
  timeoutMs: slowCallMs,
  input: privacySubject,
  output: z.object({}),
} as const satisfies Exchange;

const exportCall = {
  path: '/internal/members/export',
  callers: ['profile'],
  timeoutMs: slowCallMs,
  input: privacySubject,
} as const;

/** The account without its secrets, and where the member is signed in. */
export const exportAccount = {
  ...exportCall,
  output: z.object({
    account: z
      .object({
        siteid: z.int(),
        username: z.string(),
        pending_username: z.string().nullable(),
        email: z.string(),
        email_confirmed_at: date.nullable(),
        /** The new address, until it is confirmed. */
        pending_email: z.string().nullable(),
        /** Earlier addresses, which can revert the change until then. */
        protected_emails: z.array(z.object({ email: z.string(), until: date })),
        has_password: z.boolean(),
        /** Passkeys, oldest first, without their keys. */
        passkeys: z.array(
          z.object({
            name: z.string(),
            created_at: date,
            last_used_at: date.nullable(),
            backed_up: z.boolean(),
          }),
        ),
        /** Two-step sign-in, if it is on. */
        two_step: z.object({ since: date, recovery_codes_left: z.int() }).nullable(),
        locale: z.string().nullable(),
        created_at: date,
        /** Sign-ins before this time have ended. */
        signed_out_at: date.nullable(),
        /** Browsers that knew the account before this time are strange. */
        recovered_at: date.nullable(),
        /** When the last digest by mail was due. */
        last_digest: date.nullable(),
      })
      .nullable(),
    /** Accounts at providers that sign the member in. */
    identities: z.array(
      z.object({
        provider: z.string(),
        email: z.string().nullable(),
        linked_at: date,
        last_used_at: date,
        /** Whether a token of the provider is kept, to be revoked with the account. */
        has_refresh_token: z.boolean(),
      }),
    ),
    /** Sign-ins of apps with a valid refresh token, last used first. */
    sign_ins: z.array(
      z.object({
        client_id: z.string(),
        client_name: z.string().nullable(),
        platform: z.string().nullable(),
        device_name: z.string().nullable(),
        browser: z.string().nullable(),
        since: date,
        last_used: date,
        until: date,
      }),
    ),
    /** Browsers that are signed in at the hosted pages. */
    browser_sessions: z.array(z.object({ since: date.nullable() })),
  }),
} as const satisfies Exchange;

/** Criteria by name, each in the form that a search takes. */
const criteria = z.record(z.string(), z.unknown()).meta({ id: 'SearchCriteria' });

/** Saved searches, match criteria, places of recent searches and the indexed document. */
export const exportSearch = {
  ...exportCall,
  input: privacySubject.extend({
    /** The member without matches of the ban list, which the search document would reveal. */
    as_known: projectionSchema.optional(),
  }),
  output: z.object({
    saved_searches: z.array(
      z.looseObject({
        id: z.string(),
        name: z.string(),
        criteria,
        controls: z.looseObject({
          pagesize: z.int().optional(),
          sortby: z.string().optional(),
          exclude: z.array(z.string()).optional(),
          fields: z.array(z.string()).optional(),
        }),
      }),
    ),
    /** When saved searches notified of members who newly fit. */
    alert_matches: z.array(z.object({ search: z.string(), at: date.nullable() })),
    match_criteria: z.looseObject({ criteria, lookingfor: z.string().optional() }),
    /** The feed of the last day on which the member read it: as whom others' criteria saw them, and how many members it has. */
    feed: z
      .object({
        day: z.string(),
        seen_as: z.record(z.string(), z.unknown()).meta({ description: 'The own facts.' }),
        members: z.int(),
      })
      .nullable(),
    /** Answers that the member likes more often than others, or less often (below 0), learned from likes and passes. */
    tastes: z.array(z.object({ field: z.string(), value: z.string(), weight: z.number() })).default([]),
    /** The last daily matching: how much the member is wanted, whether there was a pair, and how many members it suggested. */
    matching: z
      .object({
        day: z.string(),
        price: z.number(),
        has_pair: z.boolean(),
        suggested: z.int(),
      })
      .nullable(),
    /** The search team's judgments: searches as the member, grades of the member as a result, and results of kept runs. */
    judged: z.object({ searches: z.int(), grades: z.int(), runs: z.int() }),
    /** Places of the searches of the last hour. */
    origins: z.array(z.object({ place: z.string(), own: z.boolean(), at: date })),
    /** Searches recorded to improve the order of results, by day, with what the member did with their results. */
    recorded_searches: z.array(
      z.object({
        day: z.iso.date(),
        siteid: z.int(),
        sortby: z.string(),
        criteria: z
          .record(z.string(), z.unknown())
          .meta({ description: 'In classes, or `true` for a name alone.' }),
        versions: z.record(z.string(), z.int()).meta({ description: 'Versions of the settings.' }),
        pagesize: z.int(),
        results: z.int(),
        /** The position of the first result, from 1. */
        first: z.int(),
        /** The experiment that it took part in, and a letter for the ranking that gave each result. */
        draft: z.object({ experiment: z.string(), teams: z.string() }).optional(),
        actions: z.array(z.object({ action: z.string(), position: z.int(), day: z.iso.date() })),
      }),
    ),
    /** The search document; null where there is none. */
    index: z.record(z.string(), z.unknown()).nullable(),
  }),
} as const satisfies Exchange;

const payment = z.object({
  kind: z.enum(['purchase', 'renewal']),
  package_id: z.int(),
  rate_id: z.int(),
  days: z.int(),
  /** Minor units. */
  amount: z.int(),
  currency: z.string(),
  provider: z.string(),
  /** The country whose price it is. */
  country: z.string().nullable(),
  promo_code: z.string().nullable(),
  state: z.enum(['open', 'paid', 'declined', 'refunded']),
  at: date,
});

/** The membership, payments, the ledger and used promo codes. */
export const exportBilling = {
  ...exportCall,
  output: z.object({
    membership: z
      .object({
        membership_status: z.enum(membershipStatuses),
        autorenew: z.boolean(),
        package_id: z.int(),
        rate_id: z.int(),
        started_at: date,
        expirationdate: date,
        /** The country whose price renewals charge. */
        price_country: z.string().nullable(),
      })
      .nullable(),
    account_token: z.string().nullable(),
    /** The member as a customer of a store. */
    customers: z.array(z.object({ store: z.string(), id: z.string() })),
    subscriptions: z.array(
      z.object({
        store: z.string(),
        reference: z.string(),
        package_id: z.int(),
        rate_id: z.int(),
        started_at: date,
        expirationdate: date,
        autorenew: z.boolean(),
      }),
    ),
    payments: z.array(payment),
    ledger: z.array(
      z.looseObject({
        id: z.string(),
        kind: z.string(),
        amount: z.int(),
        currency: z.string(),
        at: date,
        package_id: z.int(),
        rate_id: z.int(),
        payment: z.string().optional(),
        provider: z.string().optional(),
        reference: z.string().optional(),
        promo_code: z.string().optional(),
        reason: z.string().optional(),
        expires_at: date.optional(),
        autorenew: z.boolean().optional(),
      }),
    ),
    promo_codes: z.array(z.object({ code: z.string(), at: date })),
  }),
} as const satisfies Exchange;

/** The stored live updates. */
export const exportUpdates = {
  ...exportCall,
  output: z.object({
    /** Oldest first; kept for a day. */
    live_updates: z.array(
      z.looseObject({
        type: z.string(),
        at: date,
        data: z.record(z.string(), z.unknown()).meta({ description: 'The data of the frame.' }),
      }),
    ),
  }),
} as const satisfies Exchange;
