import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import { chunks } from '@covalence/runtime/chunks';
import { isUnavailableError } from '@covalence/runtime/unavailable-error';
import type { MembersContext } from './members.ts';
import type { Member } from './document/member.ts';

/** Milliseconds between two copies of one member's presence. */
const quietMs = 5 * 60_000;
/** Looks back twice as far, so that the last call of each member is found. */
const lookBackMs = 2 * quietMs;
const batch = 100;

/** Job: copies last-seen times from Redis to the members, for the search index and a lost Redis. Resolves with failures. */
export async function copyPresence(
  { members: { store, presence }, clock, logger }: MembersContext,
  mayGoOn: MayGoOn = always,
): Promise<number> {
  const now = clock();
  const seen = await presence.seenSince(new Date(now.getTime() - lookBackMs), now);
  const isDue = (last: Date | null, at: number) =>
    at > (last?.getTime() ?? 0) && now.getTime() - (last?.getTime() ?? 0) >= quietMs;
  const copy = async ({ _id, presence: copied }: Member) => {
    const at = seen.get(_id) ?? 0;
    if (!isDue(copied.last_seen, at)) return;
    await store.change(_id, (member) =>
      isDue(member.presence.last_seen, at)
        ? { presence: { ...member.presence, last_seen: new Date(at) } }
        : undefined,
    );
  };
  let failed = 0;
  for (const ids of chunks(seen.keys(), batch)) {
    if (!(await mayGoOn())) break;
    failed += await eachPart(await store.byIds(ids), copy, {
      mayGoOn: always,
      // Every further member would wait for the store, for longer than the lease lasts.
      ends: isUnavailableError,
      logger,
      left: 'presence not copied: will retry',
      about: ({ _id }) => ({ member: _id }),
    });
  }
  return failed;
}
