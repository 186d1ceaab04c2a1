import type { ComparedPart, Relevance, SearchSettings, Variant } from './queries.ts';

const colors = ['violet.6', 'teal.6', 'orange.6', 'blue.6', 'pink.6', 'lime.7', 'cyan.7', 'grape.6'];

/** The color of a criterion by its place in the search: of its slider, and of its part of each result. */
export const colorOf = (at: number): string => colors[at % colors.length] ?? 'gray';

/** The ranking in force: published, or that of the file of the service. */
export const rankingOf = ({ relevance, file }: SearchSettings): Relevance => relevance ?? file;

/** Weights by name: that of a criterion, or `among_equals.` and that of a part of the order among equals. */
export type Weights = Readonly<Record<string, number>>;

/** The criteria that decide between results, with their weights. */
export function criteriaOf({ users }: Variant): Weights {
  return Object.fromEntries(
    users.flatMap(({ criteria }) => criteria.map(({ criterion, weight }) => [criterion, weight] as const)),
  );
}

const equalsParts = [
  'activity',
  'photo',
  'answers',
  'answer_rate',
  'newness',
  'exposure',
] as const satisfies readonly ComparedPart[];

const equalsPrefix = 'among_equals.';

/** The part of the order among equals that a weight is of; undefined for the weight of a criterion. */
const partIn = (name: string) =>
  name.startsWith(equalsPrefix) ? name.slice(equalsPrefix.length) : undefined;

/** The name of a criterion, or of a part of the order among equals without what says so. */
export const shortName = (name: string): string => partIn(name) ?? name;

type SiteSettings = Relevance['sites'][string];

/** The weight in force on a site, or on those without their own; undefined for the default of a criterion. */
export function weightIn(settings: Relevance, name: string, site?: string): number | undefined {
  const own = site === undefined ? undefined : settings.sites[site];
  const part = partIn(name);
  if (part === undefined) return own?.weights?.[name] ?? settings.weights[name];
  return (own?.among_equals ?? settings.among_equals.weights)[part] ?? 0;
}

/** The weights of the order among equals on a site. */
export const equalsOf = (settings: Relevance, site: string): Weights =>
  Object.fromEntries(
    equalsParts.map((part) => equalsPrefix + part).map((name) => [name, weightIn(settings, name, site) ?? 0]),
  );

/** Whether a site has its own weight of this name. */
const hasOwn = ({ weights, among_equals }: SiteSettings, name: string): boolean =>
  partIn(name) === undefined ? weights?.[name] !== undefined : among_equals !== undefined;

/** Settings with another weight on one site, whose own ones among equals replace the general ones. */
function onSite(settings: Relevance, site: string, name: string, weight: number): Relevance {
  const own = settings.sites[site] ?? {};
  const part = partIn(name);
  const changed =
    part === undefined
      ? { weights: { ...own.weights, [name]: weight } }
      : { among_equals: { ...(own.among_equals ?? settings.among_equals.weights), [part]: weight } };
  return { ...settings, sites: { ...settings.sites, [site]: { ...own, ...changed } } };
}

/** Settings with another weight: on one site, or on every site, also on those with a weight of their own. */
export function withWeight(settings: Relevance, name: string, weight: number, site?: string): Relevance {
  if (site !== undefined) return onSite(settings, site, name, weight);
  const part = partIn(name);
  const general: Relevance =
    part === undefined
      ? { ...settings, weights: { ...settings.weights, [name]: weight } }
      : {
          ...settings,
          among_equals: {
            ...settings.among_equals,
            weights: { ...settings.among_equals.weights, [part]: weight },
          },
        };
  const own = Object.keys(settings.sites).filter((one) => hasOwn(settings.sites[one] ?? {}, name));
  return own.reduce((all, one) => onSite(all, one, name, weight), general);
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
export const weightChanges = (settings: Relevance, by: Weights, only?: string): WeightChange[] =>
  Object.entries(by).flatMap(([name, to]) => {
    const own = Object.keys(settings.sites).filter((site) => hasOwn(settings.sites[site] ?? {}, name));
    const sites = only === undefined ? [undefined, ...own] : [only];
    return sites.map((site) => ({ site, name, from: weightIn(settings, name, site), to }));
  });

/** The move of a result: ranks up (positive) or down, `new` or `gone` where the other settings do not rank it. */
export function moveOf(
  { rank, other_rank: other }: { readonly rank: number; readonly other_rank: number | null },
  isChanged: boolean,
): number | 'new' | 'gone' {
  if (other === null) return isChanged ? 'new' : 'gone';
  return isChanged ? other - rank : rank - other;
}
