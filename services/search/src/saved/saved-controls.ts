import { z } from 'zod';
import { exclusionKinds } from '../relations/exclusion-kinds.ts';
import { controlParameters } from '../searches/control-parameters.ts';
import { sortBys } from '../relevance/sort.ts';

const { page, pagesize, sortby, exclude, explain, fields, platform } = controlParameters;

/** Control parameters that a saved search keeps. */
export const savableControls = {
  pagesize: pagesize.unwrap().optional(),
  sortby: sortby.unwrap().optional(),
  exclude: exclude.unwrap().optional(),
  fields: fields.unwrap().optional(),
};

/** Those that belong to each run: a search can be saved as it was sent, and they are checked and not kept. */
export const runControls = {
  page: page.meta({ 'x-hidden': true }),
  explain: explain.meta({ 'x-hidden': true }),
  platform,
};

/** What a search takes where nothing is said. */
export const defaultControls = z.object({ pagesize, sortby, exclude, fields }).parse({});

/** Control parameters as they are kept; what was not given stays absent and takes the search's default. */
export const savedControls = z.object({
  pagesize: z.int().optional(),
  sortby: z.enum(sortBys).optional(),
  exclude: z.array(z.enum(exclusionKinds)).optional(),
  fields: z.array(z.string()).optional(),
});

/** Kept control parameters. */
export type SavedControls = z.infer<typeof savedControls>;

/** What is kept after a change: what is given now goes before what was kept; nothing stands for what was never given. */
export function changedControls(
  kept: SavedControls,
  given: { readonly [Name in keyof SavedControls]?: SavedControls[Name] | undefined },
): SavedControls {
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...kept, ...Object.fromEntries(named) };
}
