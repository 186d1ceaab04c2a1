import type { Criterion } from '@covalence/contract/catalogue/criteria';
import type { LanguageAnalysis } from '../analysis/analysis.ts';
import {
  expandText,
  type Alternative,
  type ExpansionBudget,
  type TextUnit,
} from '../analysis/expand-text.ts';
import { allOf, anyOf, withName, type EsQuery } from './es-query.ts';
import type { SiteRelevance } from './relevance-settings.ts';

/** Data that the text criteria of a search share. */
export interface TextContext {
  readonly language: LanguageAnalysis;
  readonly budget: ExpansionBudget;
  /** The score that a criterion of weight 1 lacks if its words are not found as typed. */
  readonly room: number;
  /** Whether hits name the synonyms that found them, which costs as much as searching them again. */
  readonly explain: boolean;
}

/** A synonym that can find results. */
export interface UsedSynonym extends Alternative {
  /** The name of its query. */
  readonly name: string;
}

/** A text criterion as parts of a query. */
export interface TextFilter {
  /** Matches if all words of any value are found: as typed, with typos, in another form, or by a synonym. */
  readonly met: EsQuery;
  /** Matches if they are found as typed or in another form; `met` matches too. */
  readonly asTyped: EsQuery;
  readonly synonyms: readonly UsedSynonym[];
}

type Find = (query: string) => EsQuery;

/**
 * Matches a word with accents and typos folded, or in another form by its stem. Stems are matched without typos, because they are too
 * short: "paint" would match "point".
 */
const finder =
  (field: string, forms: string, typos: object): Find =>
  (query) =>
    anyOf([
      { match: { [field]: { query, operator: 'and', ...typos } } },
      { match: { [`${field}.${forms}`]: { query, operator: 'and' } } },
    ]);

/** Matches all of some words. */
function all(words: readonly string[], find: Find): EsQuery {
  const [first, ...rest] = words.map(find);
  return first && rest.length ? allOf(first, ...rest) : (first ?? allOf());
}

/** The filter of a text criterion. */
export function textFilter(
  { name, field }: Criterion,
  values: readonly string[],
  { text }: SiteRelevance,
  { language: { forms, rules }, budget, explain }: TextContext,
): TextFilter {
  const path = field ? `traits.${field}` : name;
  const find = finder(path, forms, text);
  // Typos cost most, and nobody typed the words of a rule.
  const findWritten = finder(path, forms, {});
  const synonyms: UsedSynonym[] = [];
  const bySynonym = (alternative: Alternative): EsQuery => {
    const query = all(alternative.words, findWritten);
    if (!explain) return query;
    const used = { ...alternative, name: `${name}:${synonyms.length}` };
    synonyms.push(used);
    return withName(query, used.name);
  };
  const met = ({ words, isKept, alternatives }: TextUnit) =>
    anyOf([...(isKept ? [all(words, find)] : []), ...alternatives.map(bySynonym)]);
  const asTyped = ({ words, isKept, alternatives }: TextUnit) =>
    isKept ? all(words, findWritten) : anyOf(alternatives.map((one) => all(one.words, findWritten)));
  const texts = values.map((value) => expandText(value, rules, text, budget));
  const anyText = (filter: (unit: TextUnit) => EsQuery) =>
    anyOf(texts.map((units) => allOf(...units.map(filter))));
  return { met: anyText(met), asTyped: anyText(asTyped), synonyms };
}
