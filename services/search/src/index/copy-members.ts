import { exportProjections } from '@covalence/contract/internal/profile-api';
import type { SearchProjection } from '@covalence/contract/search-projection';
import type { Peer } from '@covalence/http/peer';
import { isStoreAway } from '@covalence/runtime/store-away';
import { setTimeout as wait } from 'node:timers/promises';
import { memberDocument } from './member-document.ts';
import type { MemberIndex } from './member-index.ts';

const pageSize = 1_000;

/** How often a page is asked for while profile or its database is away, and the pause between two tries. */
const patience = { tries: 5, pauseMs: 2_000 };

/** A long copy does not end for one answer that did not come. */
async function patiently<Output>(ask: () => Promise<Output>): Promise<Output> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!isStoreAway(error) || tries === patience.tries) throw error;
      await wait(patience.pauseMs);
    }
  }
}

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
 * Copies every member of profile into an index, page by page, and returns how many there were. The next page is read while
 * one is written. Changes that arrive meanwhile are written by the consumer; versions keep the newer of the two.
 */
export async function copyMembers({ profile, members, to, onProgress }: CopyOptions): Promise<number> {
  const pageAfter = async (after: number): Promise<SearchProjection[]> => {
    const input = { after, limit: pageSize };
    const { projections } = await patiently(() =>
      profile.call('/internal/projections/export', input, exportProjections.output),
    );
    return projections;
  };
  let copied = 0;
  let page = await pageAfter(0);
  for (let last = page.at(-1); last; last = page.at(-1)) {
    const [next] = await Promise.all([pageAfter(last.id), members.write(page.map(memberDocument), to)]);
    copied += page.length;
    await onProgress?.(copied);
    page = next;
  }
  return copied;
}
