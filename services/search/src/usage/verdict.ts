/** Searchers of a time by the ranking whose results they liked and replied to more. */
export interface Wins {
  readonly a: number;
  readonly b: number;
}

/** The result of an experiment so far. */
export interface Verdict {
  readonly wins: Wins;
  /** The chance of so much evidence at the end of any week, if both rankings were equally good; at most this. */
  readonly pValue: number;
  /** The better ranking, or nothing yet. */
  readonly better: 'a' | 'b' | null;
}

/** The probability of a wrong verdict on equal rankings, regardless of how often it is read. */
const falseAlarms = 0.05;

/**
 * Strength of the prior on differences: shares of wins around 0.5 ± 0.08, as a beta distribution. Another
 * number is as safe; it only changes how soon a difference is found.
 */
const expectation = 20;

/**
 * The verdict on weeks in their order, each with searchers who are in no other one.
 *
 * The evidence against equal rankings is the likelihood of the wins under a mixture of shares, over that of a fair coin: each win
 * multiplies it by twice the share that was expected of its ranking after the wins before, and their order does not matter. If each
 * searcher who comes is as likely to prefer one ranking as the other, it is a martingale, so it ever exceeds 1 / p with a probability of
 * at most p (Ville's inequality). Searchers may prefer one strongly: each is one win, however much they do.
 */
export function verdictOf(weeks: Iterable<Wins>): Verdict {
  const wins = { a: 0, b: 0 };
  let evidence = 0;
  let most = 0;
  let better: Verdict['better'] = null;
  for (const week of weeks) {
    for (const winner of ['a', 'b'] as const) {
      for (let win = 0; win < week[winner]; win += 1) {
        evidence += Math.log((2 * (expectation + wins[winner])) / (2 * expectation + wins.a + wins.b));
        wins[winner] += 1;
      }
    }
    most = Math.max(most, evidence);
    if (better === null && evidence >= -Math.log(falseAlarms)) better = wins.b > wins.a ? 'b' : 'a';
  }
  return { wins, pValue: Math.exp(-most), better };
}
