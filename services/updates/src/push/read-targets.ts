import type { Peer } from '@covalence/http/peer';
import type { Target } from './push-target.ts';
import type { ClaimedDevice, QueuedMessage } from './push-queue-store.ts';

type Targets = ReadonlyMap<number, Target>;

const byId = (targets: readonly Target[]): Targets => new Map(targets.map((target) => [target.id, target]));

/** Returns the members who have devices for push messages, by id; ids may repeat. */
export async function targetsOf(members: readonly number[], profile: Peer<'profile'>): Promise<Targets> {
  return byId((await profile.pushTargets({ ids: [...new Set(members)] })).targets);
}

/** A message that waited for longer may have been read meanwhile. */
const freshMs = 60_000;

/** Types whose messages can name the other member. */
const naming: ReadonlySet<string> = new Set(['message', 'mutual']);

const isFresh = ({ update }: QueuedMessage, now: Date): boolean =>
  now.getTime() - Date.parse(update.at) < freshMs;

/** Reads the members of claimed devices in one call, with what their messages show: unread messages, names and texts. */
export async function readTargets(
  devices: readonly ClaimedDevice[],
  profile: Peer<'profile'>,
  { badges, now }: { readonly badges: boolean; readonly now: Date },
): Promise<Targets> {
  const hasWaited = ({ messages }: ClaimedDevice) =>
    messages.some((message) => message.type === 'message' && !isFresh(message, now));
  const unread = devices.filter(hasWaited).map(({ member }) => member);
  const previews = devices.flatMap(({ member: id, messages }) =>
    messages.flatMap(({ type, count, update: { data } }) => {
      const { profileid, messageid } = data as { profileid?: number; messageid?: string };
      if (!naming.has(type) || count > 1 || profileid === undefined) return [];
      return [{ id, profileid, ...(messageid !== undefined && { messageid }) }];
    }),
  );
  const ids = [...new Set(devices.map(({ member }) => member))];
  return byId((await profile.pushTargets({ ids, badges, unread: [...new Set(unread)], previews })).targets);
}
