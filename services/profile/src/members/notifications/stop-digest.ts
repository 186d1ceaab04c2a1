import { stopDigest } from '@covalence/contract/internal/profile-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import { changed } from '../document/notification-choices.ts';
import type { MembersContext } from '../members.ts';

/** POST /internal/notifications/stop-digest: turns the digest of a member off. Idempotent, and ignores unknown members. */
export const stopDigestOf = serviceEndpoint(
  stopDigest,
  async ({ member_id }, { members }: MembersContext) => {
    const found = await members.store.byUuid(member_id);
    if (!found) return {};
    await members.store.change(found._id, ({ notifications, digest_due }) => {
      if (!notifications?.digest && !digest_due) return undefined;
      const choices = changed(notifications, { push: {}, mail: {}, digest: 'off' });
      return { notifications: choices, digest_due: undefined };
    });
    return {};
  },
);
