import type { estypes } from '@elastic/elasticsearch';
import type { EqualsPart } from './among-equals.ts';
import { baseScore, exactMatchName, type BuiltSearch } from './build-search.ts';
import type { Clause } from './criterion-clause.ts';
import type { UsedSynonym } from './text-filter.ts';

/** The contribution of one criterion to a result's relevance. */
export interface CriterionOutcome {
  readonly criterion: string;
  readonly outcome: 'met' | 'near' | 'missed';
  readonly weight: number;
  /** Its share of the relevance, 0 to weight / sum of weights. */
  readonly gave: number;
  /** The synonyms that found the member; only of a search that explains. */
  readonly synonyms: readonly UsedSynonym[];
}

/** The contribution of one part to the order among equals. */
export interface EqualsOutcome {
  readonly part: EqualsPart;
  readonly gave: number;
}

/** Values by the name of a column, of those that have any. */
export type Columns = Readonly<Record<string, readonly (string | number)[] | undefined>>;

/** One result of a search, without the member's record. */
export interface Match {
  readonly id: number;
  /** 0 to 1. */
  readonly relevance: number;
  readonly exactmatch: boolean;
  /** Whole miles, at least 1; null if a position is unknown. */
  readonly distance: number | null;
  readonly explanation: readonly CriterionOutcome[];
  /** The parts of the order among equals, each from 0 to its share; the shares sum to 1. */
  readonly amongEquals: EqualsOutcome[];
  /** The values of the columns that were asked for. */
  readonly columns: Columns;
}

/** Relevance has six digits. */
const precision = 1e-6;

const scoresOf = (hit: estypes.SearchHit): Readonly<Record<string, number>> => {
  const named = hit.matched_queries ?? {};
  return Array.isArray(named) ? Object.fromEntries(named.map((name) => [name, 0])) : named;
};

function outcomeOf(
  { name, weight, untyped, synonyms }: Clause,
  scores: Readonly<Record<string, number>>,
  { units, totalUnits }: BuiltSearch,
): CriterionOutcome {
  const score = scores[name] ?? 0;
  const whole = weight * units;
  const isMet = score >= whole * (1 - precision) - untyped;
  const outcome = isMet ? 'met' : score > 0 ? 'near' : 'missed';
  const gave = (isMet ? whole : score) / totalUnits;
  const used = synonyms.filter((synonym) => synonym.name in scores);
  return { criterion: name, outcome, weight, gave, synonyms: used };
}

/** From the score that results are ordered by, so that results at equal relevance are ordered by id; 1 only if all criteria are met. */
function relevanceOf(
  hit: estypes.SearchHit,
  explanation: readonly CriterionOutcome[],
  { steps, untyped, totalUnits, scoreAt }: BuiltSearch,
) {
  const isKnown = explanation.length > 0 || !totalUnits;
  if (isKnown && explanation.every(({ outcome }) => outcome === 'met')) return 1;
  const score = Number(hit.sort?.[scoreAt]) - baseScore + untyped;
  const units = Math.floor(score / steps) * steps;
  return Math.min(1 - precision, Number((units / totalUnits).toFixed(6)));
}

const wholeMiles = (value: unknown): number | null => {
  const miles = typeof value === 'number' ? value : Infinity;
  return Number.isFinite(miles) ? Math.max(1, Math.round(miles)) : null;
};

/** The member of a hit: the last sort value, after the score. */
export const idOf = ({ sort }: estypes.SearchHit): number => Number(sort?.at(-1));

/** Reads relevance, exactmatch, distance and the contribution of each criterion from the hits of a search. */
export function readHits(hits: readonly estypes.SearchHit[], search: BuiltSearch): Match[] {
  const { clauses, equals, most, byDistance } = search;
  return hits.map((hit) => {
    const scores = scoresOf(hit);
    const explanation = clauses.map((clause) => outcomeOf(clause, scores, search));
    return {
      id: idOf(hit),
      relevance: relevanceOf(hit, explanation, search),
      exactmatch: exactMatchName in scores,
      distance: byDistance ? wholeMiles(hit.sort?.[0]) : null,
      explanation,
      amongEquals: equals.map(({ part, name }) => ({
        part,
        // Two digits, which do not reveal the hour at which a member was active.
        gave: Number(((scores[name] ?? 0) / most).toFixed(2)),
      })),
      columns: (hit.fields ?? {}) as Columns,
    };
  });
}
