import { alertMember } from '@covalence/contract/internal/profile-api';
import { newEvent } from '@covalence/events/new-event';
import { serviceEndpoint } from '@covalence/http/endpoint';
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
