import { alertMember } from '@covalence/contract/internal/profile-api';
import { newEvent } from '@covalence/events/new-event';
import { endpoint } from '@covalence/http/endpoint';
import type { MembersContext } from '../members.ts';

/** POST /internal/members/alert: publishes that something happened to the security of an account. The mail about it is the record. */
export const alertOf = endpoint({
  access: 'service',
  summary: 'Tell the devices of a member what happened to the account',
  ...alertMember,
  async handler({ input: { id, alert } }, { clock, publisher }: MembersContext) {
    const at = clock();
    await publisher.publish(
      newEvent({ type: 'account.alerted', member: id, version: at.getTime(), at, data: { alert } }),
    );
    return {};
  },
});
