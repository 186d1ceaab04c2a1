import type { Phrase, RuleNode } from './synonyms.ts';
import { typosBetween, type ComparisonBudget } from './typos.ts';
import { tokensOf, wordsOf } from './words.ts';

/** Words that are searched instead of those that were typed. */
export interface Alternative extends Phrase {
  /** The text as typed. */
  readonly typed: string;
}

/** Consecutive words of a searched text, and what else finds them. */
export interface TextUnit {
  /** As they were typed. */
  readonly words: readonly string[];
  /** Whether they are searched as well. */
  readonly isKept: boolean;
  readonly alternatives: readonly Alternative[];
}

/** The cost that the texts of one search may have together. */
export interface ExpansionBudget extends ComparisonBudget {
  /** Words of alternatives, each of which becomes a query. */
  words: number;
}

/** The budget of a search: about 20 ms of comparisons, enough for twenty long words and the largest rules. */
export const newBudget = (): ExpansionBudget => ({ words: 40, steps: 200_000 });

/** Typos allowed between typed words and those of the rules; docs/search.md explains them. */
export interface TypoSettings {
  readonly fuzziness: string;
  readonly prefix_length: number;
}

/** Phrases of the rules that typed words may be the beginning of. */
const mostNear = 8;

/** Letters from which on a word may have one typo and two. */
const lettersFor = { one: 4, two: 8 };

interface Token {
  readonly text: string;
  /** The word that it is part of, by its place. */
  readonly word: number;
}

/** Words of the rules that were typed, perhaps with typos. */
interface Match {
  readonly nodes: readonly RuleNode[];
  readonly typos: number;
  /** The first word after them. */
  readonly end: number;
}

interface State {
  readonly node: RuleNode;
  readonly typos: number;
}

function allowedTypos({ length }: string, { fuzziness }: TypoSettings): number {
  if (fuzziness === '0') return 0;
  const most = length >= lettersFor.two ? 2 : length >= lettersFor.one ? 1 : 0;
  return fuzziness === '1' ? Math.min(1, most) : most;
}

/** The rules that continue with a word, or, if there are none, with the nearest words. */
function follow(
  { node, typos }: State,
  token: string,
  settings: TypoSettings,
  budget: ExpansionBudget,
): State[] {
  const same = node.next.get(token);
  if (same) return [{ node: same, typos }];
  const most = allowedTypos(token, settings);
  if (!most) return [];
  const prefix = token.slice(0, settings.prefix_length);
  const near: State[] = [];
  for (let { length } = token, size = length - most; size <= length + most; size += 1) {
    for (const word of node.byLength.get(size) ?? []) {
      // Some of the words alone could be the wrong ones.
      if (budget.steps <= 0) return [];
      budget.steps -= 1;
      const more = word.startsWith(prefix) ? typosBetween(token, word, most, budget) : Infinity;
      const child = node.next.get(word);
      if (child && more < Infinity) near.push({ node: child, typos: typos + more });
    }
  }
  return near;
}

/** The longest phrase of the rules that begins at a token, by the fewest typos. */
function matchAt(
  tokens: readonly Token[],
  at: number,
  root: RuleNode,
  settings: TypoSettings,
  budget: ExpansionBudget,
): Match | undefined {
  let states: State[] = [{ node: root, typos: 0 }];
  let found: Match | undefined;
  for (let index = at; states.length && index < tokens.length; index += 1) {
    const { text = '', word = 0 } = tokens[index] ?? {};
    states = states
      .flatMap((state) => follow(state, text, settings, budget))
      .toSorted((one, other) => one.typos - other.typos)
      .slice(0, mostNear);
    const whole = tokens[index + 1]?.word === word ? [] : states.filter(({ node }) => node.searched.size);
    if (!whole.length) continue;
    const typos = Math.min(...whole.map((state) => state.typos));
    const nodes = whole.filter((state) => state.typos === typos).map(({ node }) => node);
    found = { nodes, typos, end: word + 1 };
  }
  return found;
}

function unitOf(words: readonly string[], { nodes, typos }: Match, budget: ExpansionBudget): TextUnit {
  const typed = words.join(' ');
  const known = new Set([tokensOf(typed).join(' ')]);
  const alternatives: Alternative[] = [];
  for (const { searched } of nodes) {
    for (const [key, phrase] of searched) {
      if (known.has(key) || phrase.words.length > budget.words) continue;
      known.add(key);
      budget.words -= phrase.words.length;
      alternatives.push({ typed, ...phrase });
    }
  }
  const isKept = typos > 0 || !alternatives.length || nodes.some(({ key, searched }) => searched.has(key));
  return { words, isKept, alternatives };
}

/** Splits a text into words and phrases of the rules, and adds what the rules search for them. Reduces the budget. */
export function expandText(
  value: string,
  root: RuleNode | undefined,
  settings: TypoSettings,
  budget: ExpansionBudget,
): TextUnit[] {
  const words = wordsOf(value);
  const tokens = root
    ? words.flatMap((text, word) => tokensOf(text).map((one): Token => ({ text: one, word })))
    : [];
  const units: TextUnit[] = [];
  for (let word = 0; word < words.length;) {
    const at = tokens.findIndex((token) => token.word === word);
    const match = root && at >= 0 ? matchAt(tokens, at, root, settings, budget) : undefined;
    const end = match?.end ?? word + 1;
    const part = words.slice(word, end);
    units.push(match ? unitOf(part, match, budget) : { words: part, isKept: true, alternatives: [] });
    word = end;
  }
  return units;
}
