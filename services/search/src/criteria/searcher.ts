import type { Position } from '@covalence/contract/position';
import type { Sites } from '@covalence/contract/sites';
import type { Peer } from '@covalence/http/peer';
import type { Viewer } from './relations.ts';

/** The facts about the searcher that the checks of criteria need. */
export interface Searcher {
  readonly platinum: boolean;
  readonly country: string | null;
  readonly position: Position | null;
  /** Whether their site shows zodiac signs. */
  readonly zodiac: boolean;
  /** Fields that their site rejects. */
  readonly rejected: readonly string[];
}

/** The dependencies of operations that read the searcher. */
export interface SearcherContext {
  readonly profile: Peer<'profile'>;
  readonly sites: Sites;
}

/** Derives the searcher from the viewer that profile returns, or from what is known of another member. */
export function searcherOf(
  viewer: Pick<Viewer, 'platinum' | 'position'> & { member: Pick<Viewer['member'], 'country' | 'siteid'> },
  { sites }: Pick<SearcherContext, 'sites'>,
): Searcher {
  const { member, platinum, position } = viewer;
  const { country, siteid } = member;
  const { zodiac = false, rejected_fields: rejected = [] } = sites.get(siteid) ?? {};
  return { platinum, country, position, zodiac, rejected };
}

/** Reads a searcher from profile, without relations. Throws 403 Deactivated. */
export async function readSearcher(id: number, context: SearcherContext) {
  const viewer = await context.profile.readViewer({ id });
  return { viewer, searcher: searcherOf(viewer, context) };
}
