import { minuteMs, dayMs } from '@covalence/contract/time';
import { type Side, type Sides, type Stance } from './pair.ts';

type Step = (sides: Sides, at: Date) => Sides;

/** Milliseconds between two notifications of views by the same viewer. */
export const viewQuietMs = 10 * minuteMs;

const passMs = 30 * dayMs;

const withStance = (side: Side, stance: Stance, at: Date): Side => {
  if (side.stance === stance) return side;
  const { stance_at: _, ...rest } = side;
  return stance === 'none' ? { ...rest, stance } : { ...rest, stance, stance_at: at };
};

const isBlocked = ({ mine, theirs }: Sides) => Boolean(mine.blocked_at ?? theirs.blocked_at);

/** A like begins an exchange, makes a connection of a received one, and replaces an earlier decline or withdrawal. */
const like: Step = (sides, at) => {
  const { mine, theirs } = sides;
  if (mine.stance === 'liked' || isBlocked(sides)) return sides;
  // Their withdrawal belonged to an earlier exchange; they see a like now.
  const other = theirs.stance === 'unliked' ? withStance(theirs, 'none', at) : theirs;
  return { mine: withStance(mine, 'liked', at), theirs: other };
};

const withoutPhotoSharing = (side: Side): Side => {
  if (!side.photos) return side;
  const { photos: _, ...rest } = side;
  return rest;
};

/** A decline answers a like that stands and ends the sharing of photos; without a like it changes nothing. */
const decline: Step = ({ mine, theirs }, at) =>
  theirs.stance === 'liked'
    ? { mine: withoutPhotoSharing(withStance(mine, 'declined', at)), theirs: withoutPhotoSharing(theirs) }
    : { mine, theirs };

/** Unlike withdraws a like or a connection: the other side keeps their own like where it stands, else nothing. */
const unlike: Step = (sides, at) => {
  const { mine, theirs } = sides;
  if (mine.stance !== 'liked') return sides;
  return {
    mine: withStance(mine, 'unliked', at),
    theirs: theirs.stance === 'liked' ? theirs : withStance(theirs, 'none', at),
  };
};

const withdrawn = (side: Side, at: Date) =>
  withoutPhotoSharing(side.stance === 'unliked' ? side : withStance(side, 'none', at));

/** A block ends a connection and photo sharing, and withdraws both likes and the declines that answered them. */
const block: Step = ({ mine, theirs }, at) => ({
  mine: withdrawn(mine.blocked_at ? mine : { ...mine, blocked_at: at }, at),
  theirs: withdrawn(theirs, at),
});

/** Unblock does not bring likes back. */
const unblock: Step = (sides) => {
  if (!sides.mine.blocked_at) return sides;
  const { blocked_at: _, ...mine } = sides.mine;
  return { ...sides, mine };
};

/** A view across a block notifies nobody. */
const view: Step = (sides, at) => {
  if (isBlocked(sides)) return sides;
  const last = sides.mine.viewed_at;
  if (last && at.getTime() - last.getTime() < viewQuietMs) return sides;
  return { ...sides, mine: { ...sides.mine, viewed_at: at } };
};

const report: Step = (sides, at) =>
  sides.mine.reported_at ? sides : { ...sides, mine: { ...sides.mine, reported_at: at } };

/** A pass lasts 30 days from the last one. It is no covalence. */
const pass: Step = (sides, at) => ({
  ...sides,
  mine: { ...sides.mine, passed_until: new Date(at.getTime() + passMs) },
});

/** Remembers the first message. Eligibility was checked before the message was stored. */
const message: Step = (sides, at) =>
  sides.mine.messaged_at ? sides : { ...sides, mine: { ...sides.mine, messaged_at: at } };

/** Starts or ends sending or receiving photos. Nothing starts across a block. */
const agree =
  (part: 'send' | 'receive', agreed: boolean): Step =>
  (sides) => {
    const { send = false, receive = false } = sides.mine.photos ?? {};
    const photos = { send, receive, [part]: agreed };
    const isAsItWas = photos.send === send && photos.receive === receive;
    if (isAsItWas || (agreed && isBlocked(sides))) return sides;
    const mine = withoutPhotoSharing(sides.mine);
    return { ...sides, mine: photos.send || photos.receive ? { ...mine, photos } : mine };
  };

const steps = {
  like,
  decline,
  unlike,
  block,
  unblock,
  view,
  report,
  pass,
  message,
  'share-photos': agree('send', true),
  'unshare-photos': agree('send', false),
  'accept-photos': agree('receive', true),
  'refuse-photos': agree('receive', false),
} satisfies Record<string, Step>;

/** An action of a member on another. The last four share the member's own photos, or accept those of the other. */
export type PairAction = keyof typeof steps;

/** The pair after an action of `mine`. Pure and idempotent: an action that changes nothing returns the same object. */
export function act(sides: Sides, action: PairAction, at: Date): Sides {
  const { mine, theirs } = steps[action](sides, at);
  if (mine === sides.mine && theirs === sides.theirs) return sides;
  const stands = mine.stance === 'liked' || theirs.stance === 'liked';
  return { mine, theirs, ...(stands && { begun_at: sides.begun_at ?? at }) };
}

/** A notification that an action causes: the type, and which member of the pair acted. The other receives it. */
export interface PairNotification {
  readonly type: 'pair.liked' | 'pair.mutual' | 'pair.declined' | 'pair.viewed' | 'pair.shared';
  readonly by: 'mine' | 'theirs';
}

const isMutual = ({ mine, theirs }: Sides) => mine.stance === 'liked' && theirs.stance === 'liked';

/** The notification says that photo sharing changed, not how. */
const shared = (): PairNotification[] => [{ type: 'pair.shared', by: 'mine' }];

// A message has an event of its own.
const notificationsByAction: Partial<Record<PairAction, (after: Sides) => PairNotification[]>> = {
  // Both members are notified of a connection.
  like: (after) =>
    isMutual(after)
      ? [
          { type: 'pair.mutual', by: 'mine' },
          { type: 'pair.mutual', by: 'theirs' },
        ]
      : [{ type: 'pair.liked', by: 'mine' }],
  decline: () => [{ type: 'pair.declined', by: 'mine' }],
  view: () => [{ type: 'pair.viewed', by: 'mine' }],
  'share-photos': shared,
  'unshare-photos': shared,
  'accept-photos': shared,
  'refuse-photos': shared,
};

/** The notifications of an action that changed a pair to `after`. */
export function notificationsOf(action: PairAction, after: Sides): PairNotification[] {
  return notificationsByAction[action]?.(after) ?? [];
}
