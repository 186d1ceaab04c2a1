import { CommandError } from '@covalence/runtime/command-error';
import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../context.ts';
import { siteRelevance } from '../relevance/relevance-settings.ts';
import type { readSettings } from '../settings/read-settings.ts';
import type { Experiment } from '../usage/experiment-store.ts';
import { probeSettings } from '../settings/publishing/probe-settings.ts';
import { NotNewest, requireSites } from '../settings/publishing/publish-settings.ts';

/** An experiment to start, with the file of the settings that it tries. */
interface Start extends Pick<Experiment, 'name' | 'note' | 'sites'> {
  readonly file: ReturnType<typeof readSettings>;
}

/** Starts an experiment with what is in force. Throws a CommandError where it could say nothing, or something else than it seems. */
export async function startExperiment(
  { file: { version, languages, relevance }, sites, ...named }: Start,
  context: Context,
): Promise<Experiment['against']> {
  const { settings, usage } = context;
  if (!relevance) throw new CommandError('There are no relevance settings to compare.');
  const inForce = await settings.active.refresh();
  const newest = await settings.store.newest();
  if (version !== undefined && version !== newest) throw new NotNewest(version, newest);
  if (languages && !isDeepStrictEqual(languages, inForce.content.languages))
    throw new CommandError('The file changes languages, but an experiment compares relevance alone.');
  requireSites({ relevance }, context);
  const unknown = sites.filter((siteid) => !context.sites.has(siteid));
  if (unknown.length) throw new CommandError(`SITES_FILE has no site ${unknown.join(', ')}.`);
  const against = await usage.inForce();
  if (against.secret === null) throw new CommandError('No search is recorded: set USAGE_SECRET.');
  const taking = sites.length ? sites : [...context.sites.keys()];
  if (!taking.some((siteid) => siteRelevance(inForce.relevance, siteid).usageSample > 0))
    throw new CommandError('No search of these sites is recorded: publish a usage_sample above 0.');
  const { analysis, content } = inForce;
  await probeSettings({ analysis, relevance }, Object.keys(content.languages), context);
  if (!(await usage.experiments.start({ ...named, settings: relevance, against, sites })))
    throw new CommandError(`'${named.name}' has been used, or another experiment runs.`);
  return against;
}
