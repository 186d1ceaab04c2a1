import { optional } from '@covalence/contract/parameters';
import { z } from 'zod';
import { exclusionKinds } from '../criteria/relations.ts';
import { sortBys } from '../relevance/sort.ts';
import { controlParameters } from '../searches/control-parameters.ts';

const { page, pagesize, sortby, exclude, explain, fields, platform } = controlParameters;

/** Control parameters that are stored with a saved search. */
export const savableControls = {
  pagesize: optional(pagesize.unwrap()),
  sortby: optional(sortby.unwrap()),
  exclude: exclude.unwrap().optional(),
  fields: fields.unwrap().optional(),
};

/** Control parameters of a single run. They are accepted, so that a search can be saved as it was sent, but not stored. */
export const runControls = {
  page: page.meta({ 'x-hidden': true }),
  explain: explain.meta({ 'x-hidden': true }),
  platform,
};

/** The defaults of a search. */
export const defaultControls = z.object({ pagesize, sortby, exclude, fields }).parse({});

/** Stored control parameters; those that are absent take the defaults of a search. */
export const savedControls = z.object({
  pagesize: z.int().optional(),
  sortby: z.enum(sortBys).optional(),
  exclude: z.array(z.enum(exclusionKinds)).optional(),
  fields: z.array(z.string()).optional(),
});

/** Stored control parameters. */
export type SavedControls = z.infer<typeof savedControls>;

/** The control parameters of a call that were sent and can be stored. */
export const sentControls = ({ pagesize, sortby, exclude, fields }: SavedControls): SavedControls => ({
  ...(pagesize !== undefined && { pagesize }),
  ...(sortby && { sortby }),
  ...(exclude && { exclude }),
  ...(fields && { fields }),
});
