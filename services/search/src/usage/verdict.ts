/** What an experiment says so far. */
export interface Verdict {
  /** Searches whose results of one team were liked or replied more than those of the other, by the team. */
  readonly wins: { readonly a: number; readonly b: number };
  /** The chance of so much evidence at any time, if both rankings were equally good; at most this. */
  readonly pValue: number;
  /** The better ranking, or nothing yet. */
  readonly better: 'a' | 'b' | null;
}

/** How often a verdict on equal rankings is wrong, however often somebody looks. */
const falseAlarms = 0.05;

/**
 * How strongly wins are expected to differ: shares of wins around 0.5 ± 0.08, as a beta distribution. Another number is as safe; it only
 * changes how soon a difference is found.
 */
const expectation = 20;

/**
 * The verdict on the outcomes of searches in their order: above 0 if `b` won, below if `a` did; 0 is a tie, which says nothing.
 *
 * The evidence against equal rankings is the likelihood of the wins under a mixture of shares, over that of a fair coin. It is a
 * martingale if the coin is fair, so it ever exceeds 1 / p with a probability of at most p (Ville's inequality). Each win multiplies it by
 * twice the share that was expected of its team after the wins before.
 */
export function verdictOf(outcomes: Iterable<number>): Verdict {
  const wins = { a: 0, b: 0 };
  let evidence = 0;
  let most = 0;
  let better: Verdict['better'] = null;
  for (const outcome of outcomes) {
    if (outcome === 0) continue;
    const winner = outcome > 0 ? 'b' : 'a';
    evidence += Math.log((2 * (expectation + wins[winner])) / (2 * expectation + wins.a + wins.b));
    wins[winner] += 1;
    most = Math.max(most, evidence);
    if (better === null && evidence >= -Math.log(falseAlarms)) better = wins.b > wins.a ? 'b' : 'a';
  }
  return { wins, pValue: Math.exp(-most), better };
}
