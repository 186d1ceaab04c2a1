import type { Relevance, Variant } from './queries.ts';

const colors = ['violet.6', 'teal.6', 'orange.6', 'blue.6', 'pink.6', 'lime.7', 'cyan.7', 'grape.6'];

/** The color of a criterion by its place in the search: of its slider, and of its part of each result. */
export const colorOf = (at: number): string => colors[at % colors.length] ?? 'gray';

/** Changed weights by criterion. */
export type Weights = Readonly<Record<string, number>>;

/** The criteria that decide between results, with their weights. */
export function criteriaOf({ users }: Variant): Weights {
  return Object.fromEntries(
    users.flatMap(({ criteria }) => criteria.map(({ criterion, weight }) => [criterion, weight] as const)),
  );
}

/** Settings with another weight of a criterion: on every site, also on those with a weight of their own. */
export function withWeight(settings: Relevance, criterion: string, weight: number): Relevance {
  const sites = Object.entries(settings.sites).map(([site, own]) => [
    site,
    own.weights?.[criterion] === undefined
      ? own
      : { ...own, weights: { ...own.weights, [criterion]: weight } },
  ]);
  return {
    ...settings,
    weights: { ...settings.weights, [criterion]: weight },
    sites: Object.fromEntries(sites) as Relevance['sites'],
  };
}

/** A weight that a publication changes: of one site, or of every site without its own. */
export interface WeightChange {
  readonly site: string | undefined;
  readonly name: string;
  /** Undefined: the default of the criterion. */
  readonly from: number | undefined;
  readonly to: number;
}

/** The changes that `withWeight` makes for these weights. */
export const weightChanges = ({ weights, sites }: Relevance, by: Weights): WeightChange[] =>
  Object.entries(by).flatMap(([name, to]) => {
    const own = Object.entries(sites).flatMap(([site, { weights: of }]) =>
      of?.[name] === undefined ? [] : [{ site, name, from: of[name], to }],
    );
    return [{ site: undefined, name, from: weights[name], to }, ...own];
  });

/** The move of a result: ranks up (positive) or down, `new` or `gone` where the other settings do not rank it. */
export function moveOf(
  { rank, other_rank: other }: { readonly rank: number; readonly other_rank: number | null },
  isChanged: boolean,
): number | 'new' | 'gone' {
  if (other === null) return isChanged ? 'new' : 'gone';
  return isChanged ? other - rank : rank - other;
}
