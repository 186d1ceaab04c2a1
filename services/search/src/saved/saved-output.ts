import { z } from 'zod';
import { exclusionKinds } from '../relations/exclusion-kinds.ts';
import { savedControls } from './saved-controls.ts';
import type { SavedSearch } from './saved-search-store.ts';

/** A saved search as clients see it: what POST takes (criteria and control parameters), with its id. */
export const savedOutput = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    ...savedControls.shape,
    exclude: z.array(z.enum([...exclusionKinds, 'none'])).optional(),
  })
  .meta({ id: 'SavedSearch', 'x-criteria': 'given' });

/** Renders a saved search; an empty `exclude` reads `none`, as it was written. */
export function renderSaved({
  id,
  name,
  criteria,
  controls,
}: Omit<SavedSearch, 'revision'>): z.infer<typeof savedOutput> {
  const { exclude, ...rest } = controls;
  return {
    id,
    name,
    ...criteria,
    ...rest,
    ...(exclude && { exclude: exclude.length ? exclude : ['none' as const] }),
  };
}
