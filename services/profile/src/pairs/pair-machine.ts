import type { Side, Sides, Stance } from './pair.ts';

/**
 * What a member can do to another. The last four are about photos: one's own are shared or no longer, the
 * other's are accepted or no longer.
 */
export type PairAction =
  | 'like'
  | 'decline'
  | 'unlike'
  | 'block'
  | 'unblock'
  | 'view'
  | 'report'
  | 'pass'
  | 'message'
  | 'share-photos'
  | 'unshare-photos'
  | 'accept-photos'
  | 'refuse-photos';

type Step = (sides: Sides, at: Date) => Sides;

/** A member hears of repeated views by the same viewer at most this often. */
export const viewQuietMs = 10 * 60_000;

/** How long a pass hides the other from the viewer's results. */
const passMs = 30 * 86_400_000;

const stand = (side: Side, stance: Stance, at: Date): Side => {
  if (side.stance === stance) return side;
  const { stance_at: _, ...rest } = side;
  return stance === 'none' ? { ...rest, stance } : { ...rest, stance, stance_at: at };
};

const isBlocked = ({ mine, theirs }: Sides) => Boolean(mine.blocked_at ?? theirs.blocked_at);

/** A like begins an exchange, makes a connection of a received one, and replaces an earlier decline or withdrawal. */
const like: Step = (sides, at) => {
  const { mine, theirs } = sides;
  if (mine.stance === 'liked' || isBlocked(sides)) return sides;
  // Their withdrawal was of an earlier exchange: what they see now is a like.
  const other = theirs.stance === 'unliked' ? stand(theirs, 'none', at) : theirs;
  return { mine: stand(mine, 'liked', at), theirs: other };
};

/** What was agreed about photos ends, for both. */
const unshared = (side: Side): Side => {
  if (!side.photos) return side;
  const { photos: _, ...rest } = side;
  return rest;
};

/** A decline answers a like that stands and ends the sharing of photos; without a like it changes nothing. */
const decline: Step = ({ mine, theirs }, at) =>
  theirs.stance === 'liked'
    ? { mine: unshared(stand(mine, 'declined', at)), theirs: unshared(theirs) }
    : { mine, theirs };

/** Unlike withdraws a like or a connection: the other side keeps their own like where it stands, else nothing. */
const unlike: Step = (sides, at) => {
  const { mine, theirs } = sides;
  if (mine.stance !== 'liked') return sides;
  return {
    mine: stand(mine, 'unliked', at),
    theirs: theirs.stance === 'liked' ? theirs : stand(theirs, 'none', at),
  };
};

const withdrawn = (side: Side, at: Date) =>
  unshared(side.stance === 'unliked' ? side : stand(side, 'none', at));

/**
 * A block ends a connection and the sharing of photos, and withdraws both likes, and with them the declines that
 * answered them.
 */
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

/** Nobody hears of views across a block. */
const view: Step = (sides, at) => {
  if (isBlocked(sides)) return sides;
  const last = sides.mine.viewed_at;
  if (last && at.getTime() - last.getTime() < viewQuietMs) return sides;
  return { ...sides, mine: { ...sides.mine, viewed_at: at } };
};

/** The first report stays (`reported`). */
const report: Step = (sides, at) =>
  sides.mine.reported_at ? sides : { ...sides, mine: { ...sides.mine, reported_at: at } };

/** Passing over someone lasts 30 days from the last time, and is no covalence. */
const pass: Step = (sides, at) => ({
  ...sides,
  mine: { ...sides.mine, passed_until: new Date(at.getTime() + passMs) },
});

/** The first message to the other is remembered; what may be sent was settled before it was stored. */
const message: Step = (sides, at) =>
  sides.mine.messaged_at ? sides : { ...sides, mine: { ...sides.mine, messaged_at: at } };

/** Agrees to send or to receive photos, or no longer; nothing is agreed across a block. */
const agree =
  (part: 'send' | 'receive', agreed: boolean): Step =>
  (sides) => {
    const { send = false, receive = false } = sides.mine.photos ?? {};
    const photos = { send, receive, [part]: agreed };
    const isAsItWas = photos.send === send && photos.receive === receive;
    if (isAsItWas || (agreed && isBlocked(sides))) return sides;
    const mine = unshared(sides.mine);
    return { ...sides, mine: photos.send || photos.receive ? { ...mine, photos } : mine };
  };

const steps: Record<PairAction, Step> = {
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
};

/** Whether two states of a pair are the same. */
const same = (before: Sides, after: Sides) => before.mine === after.mine && before.theirs === after.theirs;

/**
 * What a pair becomes when `mine` acts. Pure and idempotent: where the action changes nothing, the very same
 * object comes back.
 */
export function act(sides: Sides, action: PairAction, at: Date): Sides {
  const after = steps[action](sides, at);
  return same(sides, after) ? sides : after;
}

/** Whom an action tells, and of what: `by` did it to `told`. */
export interface PairNews {
  readonly type: 'pair.liked' | 'pair.mutual' | 'pair.declined' | 'pair.viewed' | 'pair.shared';
  readonly by: 'mine' | 'theirs';
}

const isMutual = ({ mine, theirs }: Sides) => mine.stance === 'liked' && theirs.stance === 'liked';

/** The other hears that something about photos is different, not what. */
const shared = (): PairNews[] => [{ type: 'pair.shared', by: 'mine' }];

const newsOf: Record<PairAction, (after: Sides) => PairNews[]> = {
  // A connection is told to both; each hears that the other likes them.
  like: (after) =>
    isMutual(after)
      ? [
          { type: 'pair.mutual', by: 'mine' },
          { type: 'pair.mutual', by: 'theirs' },
        ]
      : [{ type: 'pair.liked', by: 'mine' }],
  decline: () => [{ type: 'pair.declined', by: 'mine' }],
  view: () => [{ type: 'pair.viewed', by: 'mine' }],
  unlike: () => [],
  block: () => [],
  unblock: () => [],
  report: () => [],
  pass: () => [],
  // The message itself tells the other.
  message: () => [],
  'share-photos': shared,
  'unshare-photos': shared,
  'accept-photos': shared,
  'refuse-photos': shared,
};

/** The news of an action that changed a pair to `after`. */
export function news(action: PairAction, after: Sides): PairNews[] {
  return newsOf[action](after);
}
