import type { SearchProjection } from '@covalence/contract/search-projection';
import type { SearchContext } from '../context.ts';
import { memberDocument } from '../index/member-document.ts';
import type { IndexMapping } from '../index/mapping.ts';
import type { MemberIndex } from '../index/member-index.ts';

/** Members in an index of their own. */
export interface WorkbenchIndex {
  readonly members: MemberIndex;
  close(): Promise<void>;
}

/** Builds an index with this mapping that holds these members and nobody else; `close` deletes it. */
export async function createWorkbenchIndex(
  projections: readonly SearchProjection[],
  mapping: IndexMapping,
  { indexOf }: Pick<SearchContext, 'indexOf'>,
): Promise<WorkbenchIndex> {
  const { versions, members } = indexOf('lab', mapping);
  await versions.createFirst();
  const version = await versions.live();
  if (!version) throw new Error('the lab has no index');
  const close = () => versions.discard(version);
  try {
    await members.write(projections.map(memberDocument));
    await versions.count(version.index);
  } catch (error) {
    await close();
    throw error;
  }
  return { members, close };
}
