import type { Experiment } from '../usage/experiment-store.ts';
import { coinsOf, draft, type Team } from '../usage/team-draft.ts';
import { siteRelevance } from '../relevance/relevance-settings.ts';
import type { Found, PreparedSearch } from './find-members.ts';

/** Results that two rankings share; those behind come in the order of the settings in force. */
const mostDrafted = 100;

/** The inputs of a page of an interleaved search. */
interface Interleaved {
  readonly experiment: Experiment;
  readonly siteid: number;
  /** Seed of the coins: the same on all pages. */
  readonly seed: string;
  readonly page: number;
  readonly pagesize: number;
  readonly excluded: readonly number[];
}

/** A page, and by which team each of its results was drafted. */
export interface DraftedPage extends Found {
  readonly teams?: ReadonlyMap<number, Team>;
}

const idsOf = ({ matches }: Found) => matches.map(({ id }) => id);

/**
 * Finds the members of a page whose order two rankings draft in turns. Every result has the relevance that it has by the settings in force,
 * and the same members are found: the settings that are tried change the order of the first hundred only.
 */
export async function interleaveMembers(search: PreparedSearch, given: Interleaved): Promise<DraftedPage> {
  const { experiment, siteid, seed, page, pagesize, excluded } = given;
  const { relevance: a } = search;
  // Ages limit who is found.
  const b = { ...siteRelevance(experiment.settings, siteid), age_tolerance_years: a.age_tolerance_years };
  const pages = Math.floor(mostDrafted / pagesize);
  const depth = pages * pagesize;
  const top = { page: 1, pagesize: depth };
  const [current, tried] = await Promise.all([search.run(a, top), search.run(b, top)]);
  const drafted = draft(idsOf(current), idsOf(tried), coinsOf(seed), depth);
  if (page > pages) {
    const before = drafted.map(({ id }) => id);
    const behind = await search.run(a, { page: page - pages, pagesize, excluded: [...excluded, ...before] });
    return { total: behind.total + before.length, matches: behind.matches };
  }
  const shown = drafted.slice((page - 1) * pagesize, page * pagesize);
  const known = new Map(current.matches.map((match) => [match.id, match]));
  const among = shown.map(({ id }) => id).filter((id) => !known.has(id));
  if (among.length) {
    const others = await search.run(a, { page: 1, pagesize: among.length, among });
    for (const match of others.matches) known.set(match.id, match);
  }
  return {
    total: current.total,
    matches: shown.flatMap(({ id }) => known.get(id) ?? []),
    teams: new Map(shown.map(({ id, team }) => [id, team])),
  };
}
