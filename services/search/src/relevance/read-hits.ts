import type { estypes } from '@elastic/elasticsearch';
import { exactMatchName, type BuiltSearch } from './build-search.ts';
import type { Clause } from './criterion-clause.ts';

/** The contribution of one criterion to a result's relevance. */
export interface CriterionOutcome {
  readonly criterion: string;
  readonly outcome: 'met' | 'near' | 'missed';
  readonly weight: number;
  /** Its share of the relevance, 0 to weight / sum of weights. */
  readonly gave: number;
}

/** One result of a search, without the member's record. */
export interface Match {
  readonly id: number;
  /** 0 to 1. */
  readonly relevance: number;
  readonly exactmatch: boolean;
  /** Whole miles, at least 1; null if a position is unknown. */
  readonly distance: number | null;
  readonly explanation: readonly CriterionOutcome[];
}

/** Scores are single-precision numbers. */
const precision = 1e-6;

const scoresOf = (hit: estypes.SearchHit): Readonly<Record<string, number>> => {
  const named = hit.matched_queries ?? {};
  return Array.isArray(named) ? Object.fromEntries(named.map((name) => [name, 0])) : named;
};

function outcomeOf(clause: Clause, scored: number, totalWeight: number): CriterionOutcome {
  const { name, weight } = clause;
  const score = clause.shownScore?.(scored) ?? scored;
  const outcome = score >= weight * (1 - precision) ? 'met' : score > 0 ? 'near' : 'missed';
  return { criterion: name, outcome, weight, gave: score / totalWeight };
}

/** Six digits, the precision of the engine's scores; 1 only if all criteria are met. */
function relevanceOf(explanation: readonly CriterionOutcome[]): number {
  if (explanation.every(({ outcome }) => outcome === 'met')) return 1;
  const sum = explanation.reduce((all, { gave }) => all + gave, 0);
  return Math.min(1 - precision, Number(sum.toFixed(6)));
}

const wholeMiles = (value: unknown): number | null => {
  const miles = typeof value === 'number' ? value : Infinity;
  return Number.isFinite(miles) ? Math.max(1, Math.round(miles)) : null;
};

/** The member of a hit: the last sort value. */
export const idOf = ({ sort }: estypes.SearchHit): number => Number(sort?.at(-1));

/** Reads relevance, exactmatch, distance and the contribution of each criterion from the hits of a search. */
export function readHits(hits: readonly estypes.SearchHit[], search: BuiltSearch): Match[] {
  const { clauses, totalWeight, byDistance } = search;
  return hits.map((hit) => {
    const scores = scoresOf(hit);
    const explanation = clauses.map((clause) => outcomeOf(clause, scores[clause.name] ?? 0, totalWeight));
    return {
      id: idOf(hit),
      relevance: relevanceOf(explanation),
      exactmatch: exactMatchName in scores,
      distance: byDistance ? wholeMiles(hit.sort?.[0]) : null,
      explanation,
    };
  });
}
