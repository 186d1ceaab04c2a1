import { notFound } from '@covalence/contract/failure';
import { siteRelevance } from '../relevance/relevance-settings.ts';
import type { SavedContext } from '../saved/saved.ts';

/** The dependencies of the feed. */
export type DiscoverContext = SavedContext;

/** Throws 404 where a site has no feed. */
export async function checkDiscover(siteid: number, { settings }: DiscoverContext): Promise<void> {
  const { relevance } = await settings.active.current();
  if (!siteRelevance(relevance, siteid).discover) throw notFound();
}
