import { deactivated, forbidden, notFound } from '@covalence/contract/failure';
import type { Member } from '../../members/document/member.ts';

/** A viewer for whom the search service asks: 404 where there is none, 403 while deactivated or suspended. */
export function activeViewer(viewer: Member | undefined): Member {
  if (!viewer || viewer.deleted) throw notFound();
  if (viewer.deactivated) throw deactivated();
  if (viewer.suspended) throw forbidden();
  return viewer;
}
