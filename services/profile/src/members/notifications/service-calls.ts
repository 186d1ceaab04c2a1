import { alertMember, stopDigest } from '@covalence/contract/peers/profile-api';
import { newEvent } from '@covalence/events/new-event';
import { serviceEndpoint } from '@covalence/http/endpoint';
import { changed } from '../document/notification-choices.ts';
import type { MembersContext } from '../members.ts';

/** POST /internal/members/alert: publishes that something happened to the security of an account. The mail about it is the record. */
export const alertOf = serviceEndpoint(
  alertMember,
  async ({ id, alert }, { clock, publisher }: MembersContext) => {
    const at = clock();
    await publisher.publish(
      newEvent({ type: 'account.alerted', member: id, version: at.getTime(), at, data: { alert } }),
    );
    return {};
  },
);

/** POST /internal/notifications/stop-digest: turns the digest of a member off. Idempotent, and ignores unknown members. */
export const stopDigestOf = serviceEndpoint(
  stopDigest,
  async ({ member_id }, { members }: MembersContext) => {
    const found = await members.store.byUuid(member_id);
    if (!found) return {};
    await members.store.change(found._id, ({ notifications, digest_due }) => {
      if (!notifications?.digest && !digest_due) return undefined;
      const choices = changed(notifications, { digest: 'off' });
      return { notifications: choices, digest_due: undefined };
    });
    return {};
  },
);
