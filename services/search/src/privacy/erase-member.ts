import { eraseMember } from '@covalence/contract/peers/privacy-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import type { PrivacyContext } from './privacy.ts';

/**
 * POST /internal/members/erase: deletes what is stored about a member, and their document in every index. Profile calls it after
 * its own erasure, so that no event restores the document. Idempotent.
 */
export const erase = serviceEndpoint(
  eraseMember,
  async ({ id }, { memberStores, searches, usage, index }: PrivacyContext) => {
    await Promise.all([...memberStores, searches.centers, usage.store].map((store) => store.forget([id])));
    await index.members.remove(id);
    return {};
  },
);
