import { isDeepStrictEqual } from 'node:util';
import { siteRelevance } from '../relevance/relevance-settings.ts';
import type { SearchesContext } from '../searches/searches.ts';
import type { readSettings } from '../settings/read-settings.ts';
import { InvalidSettings } from '../publishing/invalid-settings.ts';
import { probeSettings } from '../publishing/probe-settings.ts';
import { NotNewest, requireSites } from '../publishing/publish-settings.ts';
import type { Experiment } from '../usage/experiment-store.ts';

/** The form of a name: it is part of a path. */
export const nameForm = /^[a-z0-9][a-z0-9-]{0,39}$/;

/** An experiment to start, with the settings that it tries, and the version that they were made from. */
type Start = Pick<Experiment, 'name' | 'note' | 'sites'> & ReturnType<typeof readSettings>;

const refuse = (path: string, problem: string) => new InvalidSettings([{ path, problem }]);

/** Starts an experiment with what is in force. Throws where it could say nothing, or something else than it seems. */
export async function startExperiment(
  { version, languages, relevance, sites, ...named }: Start,
  context: SearchesContext,
): Promise<Experiment['against']> {
  const { settings, usage } = context;
  if (!relevance) throw refuse('relevance', 'is needed: it is what an experiment compares');
  const inForce = await settings.active.refresh();
  const newest = await settings.store.newest();
  if (version !== undefined && version !== newest) throw new NotNewest(version, newest);
  if (languages && !isDeepStrictEqual(languages, inForce.content.languages))
    throw refuse('languages', 'cannot be changed: an experiment compares relevance alone');
  requireSites({ relevance }, context);
  const [unknown] = sites.filter((siteid) => !context.sites.has(siteid));
  if (unknown !== undefined) throw refuse(`sites.${unknown}`, 'is no site of SITES_FILE');
  const against = await usage.inForce();
  if (against.secret === null) throw refuse('USAGE_SECRET', 'is not set, so that no search is recorded');
  const taking = sites.length ? sites : [...context.sites.keys()];
  if (!taking.some((siteid) => siteRelevance(inForce.relevance, siteid).usage_sample > 0))
    throw refuse('usage_sample', 'is 0 on these sites, so that no search is recorded: publish one above 0');
  const { analysis, content } = inForce;
  await probeSettings({ analysis, relevance }, Object.keys(content.languages), context);
  if (!(await usage.experiments.start({ ...named, settings: relevance, against, sites })))
    throw refuse('name', `${named.name} has been used, or another experiment runs`);
  return against;
}
