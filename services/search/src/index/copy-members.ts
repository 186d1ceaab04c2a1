import { exportProjections } from '@covalence/contract/internal/profile-api';
import type { Peer } from '@covalence/http/peer';
import { memberDocument } from './member-document.ts';
import type { MemberIndex } from './member-index.ts';

const pageSize = 1_000;

/** What a copy works with. */
export interface CopyOptions {
  readonly profile: Peer;
  readonly members: MemberIndex;
  /** The alias that is filled. */
  readonly to: string;
  /** Told after each page how many members are copied. */
  readonly onProgress?: (copied: number) => void | Promise<void>;
}

/**
 * Copies every member of profile into an index, page by page, and returns how many there were. Changes that arrive
 * meanwhile are written by the consumer; versions keep the newer of the two.
 */
export async function copyMembers({ profile, members, to, onProgress }: CopyOptions): Promise<number> {
  let copied = 0;
  for (let after = 0; ;) {
    const input = { after, limit: pageSize };
    const { projections } = await profile.call(
      '/internal/projections/export',
      input,
      exportProjections.output,
    );
    const last = projections.at(-1);
    if (!last) return copied;
    await members.write(projections.map(memberDocument), to);
    copied += projections.length;
    after = last.id;
    await onProgress?.(copied);
  }
}
