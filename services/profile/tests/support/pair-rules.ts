import type { PairAction } from '../../src/pairs/pair-machine.ts';

/** Two members. */
export type Who = 'ann' | 'bob';

/** The rules of D23 once more, as a table of covalences without times. */
export interface Model {
  cov: Record<Who, string>;
  blocks: Record<Who, boolean>;
}
/** The other of the two. */
export const otherOf = (who: Who): Who => (who === 'ann' ? 'bob' : 'ann');
const likes = (cov: string) => ['liked', 'mutual', 'declinedme'].includes(cov);

/** What each action makes of the table. */
export const rules: Record<PairAction, (model: Model, me: Who, other: Who) => void> = {
  like: ({ cov, blocks }, me, other) => {
    if (blocks.ann || blocks.bob || likes(cov[me])) return;
    const mutual = likes(cov[other]);
    cov[me] = mutual ? 'mutual' : 'liked';
    cov[other] = mutual ? 'mutual' : 'likedme';
  },
  decline: ({ cov }, me, other) => {
    if (!likes(cov[other])) return;
    cov[me] = 'declined';
    cov[other] = 'declinedme';
  },
  unlike: ({ cov }, me, other) => {
    if (!likes(cov[me])) return;
    cov[me] = 'unliked';
    cov[other] = likes(cov[other]) ? 'liked' : 'none';
  },
  block: ({ cov, blocks }, me) => {
    blocks[me] = true;
    for (const who of ['ann', 'bob'] as const) if (cov[who] !== 'unliked') cov[who] = 'none';
  },
  unblock: ({ blocks }, me) => void (blocks[me] = false),
  view: () => undefined,
  report: () => undefined,
  pass: () => undefined,
  message: () => undefined,
};

/** Two who know nothing of each other. */
export const unknown = (): Model => ({
  cov: { ann: 'none', bob: 'none' },
  blocks: { ann: false, bob: false },
});
