import type { Event } from '@covalence/contract/events';
import type { SearchProjection } from '@covalence/contract/search-projection';
import type { Peer } from '@covalence/http/peer';
import { memberDocument } from './member-document.ts';
import type { MemberIndex } from './member-index.ts';

/** A store with data of members. */
export interface MemberData {
  forget(members: readonly number[]): Promise<void>;
}

/**
 * Handles member.*: fetches the members of a batch of events and writes them to the index. Documents have versions, so repeated or
 * late events change nothing. `beforeWrite` sees them while the index has their former state, and returns what follows the write.
 * Deletes the data of deleted members, and what is recorded of members who do not want it: with each of their changes, as a search of
 * the last second may still wait to be stored. Throws, after the others are written, for members whose
 * projection profile cannot make: their events become dead letters.
 */
export function onMemberChanged(
  profile: Peer<'profile'>,
  members: MemberIndex,
  stores: readonly MemberData[],
  beforeWrite?: (projections: readonly SearchProjection[]) => Promise<() => Promise<void>>,
  usage?: MemberData,
): (events: Event[]) => Promise<void> {
  return async (events) => {
    const ids = [...new Set(events.map(({ member }) => member))];
    const { projections, broken } = await profile.readProjections({ ids });
    const afterWrite = await beforeWrite?.(projections);
    await members.writeAll(projections.map(memberDocument));
    await afterWrite?.();
    const deleted = projections.filter(({ deleted }) => deleted).map(({ id }) => id);
    if (deleted.length) await Promise.all(stores.map((store) => store.forget(deleted)));
    const unrecorded = projections.filter(({ recorded }) => recorded === false).map(({ id }) => id);
    if (unrecorded.length) await usage?.forget(unrecorded);
    if (broken.length) throw new Error(`profile cannot render the projection of ${broken.join(', ')}`);
  };
}
