import { findPayers } from '@covalence/contract/peers/billing-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import type { SubscriptionsContext as Context } from '../subscriptions/subscriptions.ts';
import { providerNames } from '../payments/providers.ts';
import { storeNames } from '../stores/store.ts';

/** POST /internal/memberships/payers: the members that staff look for. It makes the same calls whether or not there is one. */
export const findPayingMembers = serviceEndpoint(
  findPayers,
  async ({ reference, limit }, context: Context) => {
    const { ledger, payments, subscriptions, customers, accountTokens } = context;
    const found = await Promise.all([
      ledger.membersOf(reference, providerNames),
      payments.find(reference).then((payment) => payment?.member),
      ...storeNames.map(async (store) => (await subscriptions.find({ store, reference }))?.member),
      customers.memberOf(reference),
      accountTokens.memberOf(reference),
    ]);
    const members = found.flat().filter((member) => member !== undefined && member > 0);
    return { members: [...new Set(members)].slice(0, limit) };
  },
);
