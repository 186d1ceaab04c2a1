import type { exportProjections } from '@covalence/contract/peers/profile-for-search-api';
import type { Peer } from '@covalence/http/peer';
import { pluralize } from '@covalence/runtime/pluralize';
import { settle } from '@covalence/runtime/settle';
import { isUnavailableError } from '@covalence/runtime/unavailable-error';
import { setTimeout as wait } from 'node:timers/promises';
import type { z } from 'zod';
import { memberDocument } from './member-document.ts';
import type { MemberIndex } from './member-index.ts';

const pageSize = 1_000;

/** Attempts to read a page while profile or its database is down, and the pause between them. */
const retries = { attempts: 5, pauseMs: 2_000 };

async function retryWhileUnavailable<Output>(read: () => Promise<Output>, pauseMs: number): Promise<Output> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      if (!isUnavailableError(error) || attempt === retries.attempts) throw error;
      await wait(pauseMs);
    }
  }
}

/** The source and target of a copy. */
export interface CopyOptions {
  readonly profile: Pick<Peer<'profile'>, 'exportProjections'>;
  readonly members: MemberIndex;
  /** The alias that is filled; the live one by default. */
  readonly to?: string;
  /** An id near the median; without it, members are copied in one direction. */
  readonly middle?: number;
  /** Called after each page with the number of members copied; an error ends the copy. */
  readonly onProgress?: ((copied: number) => void) | undefined;
  /** Called every few seconds; rejects when another process has taken over. */
  readonly renewLease: () => Promise<void>;
  /** Pause between attempts while profile or its database is down, ms; default 2,000. */
  readonly pauseMs?: number | undefined;
}

/** Interval between two renewals of the lease, ms: a fraction of the shortest lease. */
const renewEveryMs = 2_000;

type Page = z.output<typeof exportProjections.output>;

/** Members that are copied one after the other, from one end. */
interface Range {
  readonly after: number;
  readonly before: number;
  readonly descending: boolean;
}

/** The part of a range that follows a page. */
function rangeAfter({ projections, broken }: Page, range: Range): Range {
  const ids = [...projections.slice(-1).map(({ id }) => id), ...broken.slice(-1)];
  return range.descending ? { ...range, before: Math.min(...ids) } : { ...range, after: Math.max(...ids) };
}

/** With more broken members than this, profile itself fails. */
const mostBroken = (copied: number) => Math.max(10, copied / 1_000);

/**
 * Copies every member of profile into an index, page by page, except those whose projection profile cannot make; throws if there are
 * many of these. It copies from the middle in both directions, which keeps profile and its database busy; in each direction one
 * page is written while the next one is read. Changes that arrive meanwhile are written by the consumer: the newer version wins.
 */
export async function copyMembers(
  options: CopyOptions,
): Promise<{ copied: number; broken: readonly number[] }> {
  const { profile, members, to, middle = 0, onProgress, renewLease, pauseMs = retries.pauseMs } = options;
  let copied = 0;
  const broken: number[] = [];
  let renewAt = performance.now() + renewEveryMs;
  const aborted = new AbortController();

  const read = (range: Range): Promise<Page> =>
    retryWhileUnavailable(() => profile.exportProjections({ ...range, limit: pageSize }), pauseMs);
  const write = async (page: Page) => {
    const { projections } = page;
    await members.write(projections.map(memberDocument), to);
    copied += projections.length;
    broken.push(...page.broken);
    onProgress?.(copied);
    if (performance.now() < renewAt) return;
    renewAt = performance.now() + renewEveryMs;
    await renewLease();
  };
  const copy = async (range: Range) => {
    let writing = Promise.resolve();
    try {
      let rest = range;
      let page = await read(rest);
      while (page.projections.length + page.broken.length > 0 && !aborted.signal.aborted) {
        rest = rangeAfter(page, rest);
        const reading = read(rest);
        // Awaited below; it may fail while the write is awaited.
        reading.catch(() => undefined);
        await writing;
        writing = write(page);
        writing.catch(() => undefined);
        page = await reading;
      }
      await writing;
    } catch (error) {
      aborted.abort();
      await writing.catch(() => undefined);
      throw error;
    }
  };
  const up = { after: middle, before: Number.MAX_SAFE_INTEGER, descending: false };
  const down = { after: 0, before: middle + 1, descending: true };
  await settle([copy(up), ...(middle > 0 ? [copy(down)] : [])]);
  if (broken.length > mostBroken(copied)) {
    throw new Error(
      `profile cannot render the projection of ${pluralize(broken.length, 'member')}, first ${broken[0]}; its log says why`,
    );
  }
  return { copied, broken: broken.toSorted((one, other) => one - other) };
}
