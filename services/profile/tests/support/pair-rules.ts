import type { PairAction } from '../../src/pairs/pair-machine.ts';

/** Two members. */
export type Who = 'ann' | 'bob';

/** The rules of likes once more, as a table of covalences without times. */
export interface Model {
  cov: Record<Who, string>;
  blocks: Record<Who, boolean>;
  /** Whether a member shares photos with the other, and whether a member accepts the other's. */
  sends: Record<Who, boolean>;
  takes: Record<Who, boolean>;
}
/** The other of the two. */
export const otherOf = (who: Who): Who => (who === 'ann' ? 'bob' : 'ann');
const likes = (cov: string) => ['liked', 'mutual', 'declinedme'].includes(cov);

const endSharing = ({ sends, takes }: Pick<Model, 'sends' | 'takes'>) => {
  for (const part of [sends, takes]) part.ann = part.bob = false;
};

/** The effect of each action on the table. */
export const rules: Record<PairAction, (model: Model, me: Who, other: Who) => void> = {
  like: ({ cov, blocks }, me, other) => {
    if (blocks.ann || blocks.bob || likes(cov[me])) return;
    const mutual = likes(cov[other]);
    cov[me] = mutual ? 'mutual' : 'liked';
    cov[other] = mutual ? 'mutual' : 'likedme';
  },
  decline: ({ cov, sends, takes }, me, other) => {
    if (!likes(cov[other])) return;
    endSharing({ sends, takes });
    cov[me] = 'declined';
    cov[other] = 'declinedme';
  },
  unlike: ({ cov }, me, other) => {
    if (!likes(cov[me])) return;
    cov[me] = 'unliked';
    cov[other] = likes(cov[other]) ? 'liked' : 'none';
  },
  block: ({ cov, blocks, sends, takes }, me) => {
    blocks[me] = true;
    endSharing({ sends, takes });
    for (const who of ['ann', 'bob'] as const) if (cov[who] !== 'unliked') cov[who] = 'none';
  },
  unblock: ({ blocks }, me) => void (blocks[me] = false),
  view: () => undefined,
  report: () => undefined,
  pass: () => undefined,
  message: () => undefined,
  'share-photos': ({ blocks, sends }, me) => void (sends[me] ||= !blocks.ann && !blocks.bob),
  'unshare-photos': ({ sends }, me) => void (sends[me] = false),
  'accept-photos': ({ blocks, takes }, me) => void (takes[me] ||= !blocks.ann && !blocks.bob),
  'refuse-photos': ({ takes }, me) => void (takes[me] = false),
};

/** Two who know nothing of each other. */
export const unknown = (): Model => ({
  cov: { ann: 'none', bob: 'none' },
  blocks: { ann: false, bob: false },
  sends: { ann: false, bob: false },
  takes: { ann: false, bob: false },
});
