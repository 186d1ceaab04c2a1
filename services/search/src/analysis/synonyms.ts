import { tokensOf, wordsOf } from './words.ts';

/** One or more words that a rule searches. */
export interface Phrase {
  /** As they are written in the rule. */
  readonly words: readonly string[];
  /** The rule that names them. */
  readonly rule: string;
}

/** The rules by the words that they begin with. */
export interface RuleNode {
  readonly next: Map<string, RuleNode>;
  /** The words of `next` by length, for comparisons with typos. */
  readonly byLength: Map<number, string[]>;
  /** Phrases to search for the words up to here, by folded words; includes these words themselves if they are still searched. */
  readonly searched: Map<string, Phrase>;
  /** The folded words up to here. */
  readonly key: string;
}

/** A rule that is refused. */
export interface RuleProblem {
  readonly index: number;
  readonly problem: string;
}

/** Phrases on a side of a rule, and those that all rules together search for one phrase. */
export const mostPhrases = 20;

/** Words of a phrase, and their length. */
export const mostWords = 4;
const mostLetters = 50;

/** Phrases for which all rules of a version search others: memory, and the time of comparing a word with them. */
export const mostKeys = 10_000;

const nodeOf = (key: string): RuleNode => ({
  next: new Map(),
  byLength: new Map(),
  searched: new Map(),
  key,
});

/** A side of a rule: its phrases, folded and as they are written. */
type Side = { readonly tokens: string[]; readonly words: string[] }[];

function readSide(text: string): Side | string {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.some((part) => !part))
    return text.trim() ? 'has a comma too many' : 'has no words on a side of =>';
  if (parts.length > mostPhrases) return `has ${parts.length} phrases on a side, at most ${mostPhrases}`;
  const side = parts.map((part) => ({ tokens: tokensOf(part), words: wordsOf(part) }));
  for (const [at, { tokens }] of side.entries()) {
    const phrase = `"${parts[at]}"`;
    if (!tokens.length) return `${phrase} has no letter or digit`;
    if (tokens.length > mostWords) return `${phrase} has ${tokens.length} words, at most ${mostWords}`;
    if (tokens.some(({ length }) => length > mostLetters)) {
      return `${phrase} has a word of more than ${mostLetters} letters`;
    }
  }
  return side;
}

/** Reads a rule in Solr's format: `a, b` or `a, b => c, d`; returns its sides or its problem. */
function readRule(rule: string): { from: Side; to: Side } | string {
  if (rule.includes('\\')) return 'has a backslash: words are taken without the signs between them';
  const [left = '', right = left, ...rest] = rule.split('=>');
  if (rest.length) return 'has more than one =>';
  const from = readSide(left);
  const to = readSide(right);
  if (typeof from === 'string') return from;
  if (typeof to === 'string') return to;
  if (from.length < 2 && right === left) return 'has one phrase only: write "a, b" or "a => b"';
  return { from, to };
}

function enter(root: RuleNode, tokens: readonly string[]): RuleNode {
  let node = root;
  for (const token of tokens) {
    let child = node.next.get(token);
    if (!child) {
      child = nodeOf(node.key ? `${node.key} ${token}` : token);
      node.next.set(token, child);
      const ofLength = node.byLength.get(token.length);
      if (ofLength) ofLength.push(token);
      else node.byLength.set(token.length, [token]);
    }
    node = child;
  }
  return node;
}

const isComment = (rule: string) => rule.startsWith('#');

/** The rules of a language, compiled. */
export interface CompiledRules {
  readonly root: RuleNode;
  /** Phrases for which they search others. */
  readonly keys: number;
  readonly problems: readonly RuleProblem[];
}

/** Rules are checked, counted and used: each time the same. */
const compiled = new WeakMap<readonly string[], CompiledRules>();

/** Compiles the rules of a language, and returns those that are refused. Several rules of one phrase add up. */
export function compileRules(rules: readonly string[]): CompiledRules {
  const known = compiled.get(rules) ?? compile(rules);
  compiled.set(rules, known);
  return known;
}

function compile(rules: readonly string[]): CompiledRules {
  const root = nodeOf('');
  const keys = new Set<RuleNode>();
  const problems: RuleProblem[] = [];
  for (const [index, rule] of rules.entries()) {
    if (isComment(rule)) continue;
    const sides = readRule(rule);
    if (typeof sides === 'string') {
      problems.push({ index, problem: sides });
      continue;
    }
    for (const { tokens } of sides.from) {
      const node = enter(root, tokens);
      keys.add(node);
      for (const { tokens: target, words } of sides.to) {
        const key = target.join(' ');
        if (!node.searched.has(key)) node.searched.set(key, { words, rule });
      }
      if (node.searched.size > mostPhrases) {
        const problem = `"${node.key}" finds more than ${mostPhrases} phrases with the rules before`;
        problems.push({ index, problem });
        break;
      }
    }
    if (keys.size > mostKeys) {
      problems.push({ index, problem: `is the first beyond ${mostKeys} phrases` });
      break;
    }
  }
  return { root, keys: keys.size, problems };
}
