import type { Event } from '@covalence/contract/events';
import { readProjections } from '@covalence/contract/internal/profile-api';
import type { Peer } from '@covalence/http/peer';
import { memberDocument } from '../index/member-document.ts';
import type { MemberIndex } from '../index/member-index.ts';

/**
 * Handles member.*: fetches the members that a batch of events names and writes them to the index. Events carry no state,
 * and documents have versions, so events that come twice or out of order change nothing.
 */
export function onMemberChanged(profile: Peer, members: MemberIndex): (events: Event[]) => Promise<void> {
  return async (events) => {
    const ids = [...new Set(events.map(({ member }) => member))];
    const { projections } = await profile.call('/internal/projections', { ids }, readProjections.output);
    await members.writeAll(projections.map(memberDocument));
  };
}
