import type { Event } from '@covalence/contract/events';
import type { SearchProjection } from '@covalence/contract/search-projection';
import type { Peer } from '@covalence/http/peer';
import { memberDocument } from './member-document.ts';
import type { MemberIndex } from './member-index.ts';

/** A store with data of members. */
export interface MemberData {
  forget(members: readonly number[]): Promise<void>;
}

/** Dependencies of the handler. */
interface MemberChangeOptions {
  readonly profile: Peer<'profile'>;
  readonly members: MemberIndex;
  /** The stores whose data of a deleted member is deleted. */
  readonly stores: readonly MemberData[];
  /** Sees the members while the index has their former state, and returns what follows the write. */
  readonly beforeWrite?: (projections: readonly SearchProjection[]) => Promise<() => Promise<void>>;
  /** Recorded searches. Those of members who do not want it are deleted with each of their changes: one may still wait to be stored. */
  readonly usage?: MemberData;
}

/**
 * Handles member.*: fetches the members of a batch of events and writes them to the index. Documents have versions, so repeated or
 * late events change nothing. Throws, after the others are written, for members whose projection profile cannot make: their events
 * become dead letters.
 */
export function onMemberChanged(options: MemberChangeOptions): (events: Event[]) => Promise<void> {
  const { profile, members, stores, beforeWrite, usage } = options;
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
