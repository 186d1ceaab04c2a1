import type { Event } from '@covalence/contract/events';
import { readProjections } from '@covalence/contract/internal/profile-api';
import type { Peer } from '@covalence/http/peer';
import { memberDocument } from './member-document.ts';
import type { MemberIndex } from './member-index.ts';

/** A store of what members keep here. */
interface Forgetful {
  /** Deletes everything of members who are gone. */
  forget(members: readonly number[]): Promise<void>;
}

/**
 * Handles member.*: fetches the members that a batch of events names and writes them to the index. Events carry no state,
 * and documents have versions, so events that come twice or out of order change nothing. What a deleted member kept here
 * goes with them. Throws, the others done, for members whom profile cannot make a projection of: their events are dead letters
 * until they are mended.
 */
export function onMemberChanged(
  profile: Peer,
  members: MemberIndex,
  kept: readonly Forgetful[],
): (events: Event[]) => Promise<void> {
  return async (events) => {
    const ids = [...new Set(events.map(({ member }) => member))];
    const { projections, broken } = await profile.call(
      '/internal/projections',
      { ids },
      readProjections.output,
    );
    await members.writeAll(projections.map(memberDocument));
    const gone = projections.filter(({ deleted }) => deleted).map(({ id }) => id);
    if (gone.length) await Promise.all(kept.map((store) => store.forget(gone)));
    if (broken.length) throw new Error(`profile cannot make a projection of ${broken.join(', ')}`);
  };
}
