import { readViewer } from '@covalence/contract/internal/profile-api';
import type { z } from 'zod';
import type { SearchContext } from '../context.ts';
import type { Searcher } from '../criteria/parse-forms.ts';

/** Who searches, as profile knows them. */
export type Viewer = z.infer<typeof readViewer.output>;

/** A kind of relation that a search can leave out (D30). */
export type ExclusionKind = z.infer<typeof readViewer.input>['exclude'][number];

/** Asks profile who searches, freshly, and what the checks of criteria need to know of them. Throws 403 Deactivated. */
export async function readSearcher(
  id: number,
  exclude: readonly ExclusionKind[],
  { profile, sites }: Pick<SearchContext, 'profile' | 'sites'>,
): Promise<{ viewer: Viewer; searcher: Searcher }> {
  const viewer = await profile.call('/internal/viewers', { id, exclude }, readViewer.output);
  const { country, position, siteid } = viewer.member;
  const zodiac = sites.get(siteid)?.zodiac ?? false;
  return { viewer, searcher: { platinum: viewer.platinum, country, position, zodiac } };
}
