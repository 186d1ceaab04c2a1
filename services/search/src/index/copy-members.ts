import { exportProjections } from '@covalence/contract/internal/profile-api';
import type { Peer } from '@covalence/http/peer';
import { isStoreAway } from '@covalence/runtime/store-away';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { memberDocument } from './member-document.ts';
import type { MemberIndex } from './member-index.ts';

const pageSize = 1_000;

/** Pages on their way into the index: Elasticsearch has the next one when it is done with one. */
const writesAtOnce = 2;

/** How often a page is asked for while profile or its database is away, and the pause between two tries. */
const patience = { tries: 5, pauseMs: 2_000 };

/** A long copy does not end for one answer that did not come. */
async function patiently<Output>(ask: () => Promise<Output>, pauseMs: number): Promise<Output> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!isStoreAway(error) || tries === patience.tries) throw error;
      await wait(pauseMs);
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
  /** Between two tries while profile or its database is away, ms; default 2,000. */
  readonly pauseMs?: number | undefined;
}

/** A page as it came: enough to ask for the next one; its members are checked while that is on its way. */
const uncheckedPage = z.object({ projections: z.array(z.unknown()) });

const checkedLast = z.looseObject({ id: exportProjections.output.shape.projections.element.shape.id });

/**
 * Copies every member of profile into an index, page by page, and returns how many there were. While one page is checked
 * and written, the one after it is read. Changes that arrive meanwhile are written by the consumer; versions keep the
 * newer of the two.
 */
export async function copyMembers(options: CopyOptions): Promise<number> {
  const { profile, members, to, onProgress, pauseMs = patience.pauseMs } = options;
  const pageAfter = (after: number) => {
    const input = { after, limit: pageSize };
    return patiently(() => profile.call('/internal/projections/export', input, uncheckedPage), pauseMs);
  };
  let copied = 0;
  const write = async (page: z.infer<typeof uncheckedPage>) => {
    const { projections } = exportProjections.output.parse(page);
    await members.write(projections.map(memberDocument), to);
    copied += projections.length;
    await onProgress?.(copied);
  };
  const writes: Promise<void>[] = [];
  try {
    let page = await pageAfter(0);
    while (page.projections.length) {
      const reading = pageAfter(checkedLast.parse(page.projections.at(-1)).id);
      const writing = write(page);
      // Both are waited for below; one may fail while the other is.
      for (const one of [reading, writing]) one.catch(() => undefined);
      writes.push(writing);
      if (writes.length === writesAtOnce) await writes.shift();
      page = await reading;
    }
    await Promise.all(writes);
  } finally {
    await Promise.allSettled(writes);
  }
  return copied;
}
