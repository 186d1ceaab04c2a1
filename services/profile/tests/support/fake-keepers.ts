import * as contract from '@covalence/contract/internal/privacy-api';
import { switchRenewal } from '@covalence/contract/internal/billing-api';
import { countMatches } from '@covalence/contract/internal/search-api';
import { endpoint, type Routes } from '@covalence/http/endpoint';
import { z } from 'zod';

const date = '2026-05-01T12:00:00.000Z';

/** What the four other services say of every member, all in one: each caller takes what its contract names. */
const kept = {
  account: {
    siteid: 1,
    username: 'from-auth',
    pending_username: null,
    email: 'from-auth@example.org',
    email_confirmed_at: null,
    has_password: true,
    locale: null,
    created_at: date,
    signed_out_at: null,
  },
  identities: [{ provider: 'apple', email: null, linked_at: date, last_used_at: date }],
  sign_ins: [
    {
      client_id: 'an-app',
      client_name: 'An app',
      platform: null,
      device_name: null,
      since: date,
      last_used: date,
      until: date,
    },
  ],
  browser_sessions: [{ since: date }],
  saved_searches: [{ id: 'one', name: 'Near me', criteria: { age: { from: 30 } }, controls: {} }],
  match_criteria: { criteria: { smoking: { values: [10] } } },
  origins: [],
  index: null,
  membership: null,
  account_token: null,
  subscriptions: [],
  payments: [],
  ledger: [
    { id: 'booking', kind: 'purchase', amount: 1_999, currency: 'USD', at: date, package_id: 1, rate_id: 2 },
  ],
  promo_codes: [{ code: 'WELCOME', at: date }],
  live_updates: [{ type: 'like', at: date, data: { profileid: 1 } }],
};

/** The services that keep something of members, at one address; `note` is told of each call. `matches` are counted by member. */
export function fakeKeepers(
  note: (name: string) => void,
  matches: ReadonlyMap<number, number>,
): Routes<undefined> {
  return {
    'POST /internal/matches/count': endpoint({
      access: 'service',
      summary: '',
      ...countMatches,
      handler: ({ input: { id } }) => {
        note('matches');
        return Promise.resolve({ matches: matches.get(id) ?? 0 });
      },
    }),
    'POST /internal/members/export': endpoint({
      access: 'service',
      summary: '',
      input: contract.exportSearch.input,
      output: z.looseObject({}),
      handler: ({ input: { as_known } }) => {
        note('export');
        if (!as_known) return Promise.resolve(kept);
        const { id, visible, photo } = as_known;
        return Promise.resolve({ ...kept, index: { id, visible, photo } });
      },
    }),
    'POST /internal/members/erase': endpoint({
      access: 'service',
      summary: '',
      ...contract.eraseMember,
      handler: () => {
        note('erase');
        return Promise.resolve({});
      },
    }),
    'POST /internal/memberships/renewal': endpoint({
      access: 'service',
      summary: '',
      ...switchRenewal,
      handler: () => {
        note('stop-renewal');
        return Promise.resolve({ membership: null });
      },
    }),
  };
}
