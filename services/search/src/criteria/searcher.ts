import type { SearchContext } from '../context.ts';
import type { Searcher } from './parse-forms.ts';
import type { Viewer } from '../relations/viewer.ts';

/** The facts about a searcher that the checks of criteria need. */
export function searcherOf(viewer: Viewer, { sites }: Pick<SearchContext, 'sites'>): Searcher {
  const { member, platinum, position } = viewer;
  const { country, siteid } = member;
  const { zodiac = false, rejected_fields: rejected = [] } = sites.get(siteid) ?? {};
  return { platinum, country, position, zodiac, rejected };
}

/** Reads a searcher from profile, without relations. Throws 403 Deactivated. */
export async function readSearcher(
  id: number,
  context: Pick<SearchContext, 'profile' | 'sites'>,
): Promise<{ viewer: Viewer; searcher: Searcher }> {
  const viewer = await context.profile.readViewer({ id });
  return { viewer, searcher: searcherOf(viewer, context) };
}
