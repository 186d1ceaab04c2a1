import type { exportProjections } from '@covalence/contract/internal/profile-api';
import type { Peer } from '@covalence/http/peer';
import { pluralize } from '@covalence/runtime/pluralize';
import { isUnavailableError } from '@covalence/runtime/unavailable-error';
import { setTimeout as wait } from 'node:timers/promises';
import type { z } from 'zod';
import { memberDocument } from './member-document.ts';
import type { MemberIndex } from './member-index.ts';

const pageSize = 1_000;

/** How often a page is asked for while profile or its database is away, and the pause between two tries. */
const patience = { tries: 5, pauseMs: 2_000 };

/** A long copy does not end for one answer that did not come. */
async function retryWhileUnavailable<Output>(ask: () => Promise<Output>, pauseMs: number): Promise<Output> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!isUnavailableError(error) || tries === patience.tries) throw error;
      await wait(pauseMs);
    }
  }
}

/** What a copy works with. */
export interface CopyOptions {
  readonly profile: Pick<Peer<'profile'>, 'exportProjections'>;
  readonly members: MemberIndex;
  /** The alias that is filled. */
  readonly to: string;
  /** An id about in the middle of them all; where it is not given, they are copied in one direction. */
  readonly middle?: number;
  /** Told after each page how many members are copied. What it throws ends the copy. */
  readonly onProgress?: (copied: number) => void;
  /** Asked every few seconds, and rejects where another process does this by now. */
  readonly renewLease: () => Promise<void>;
  /** Between two tries while profile or its database is away, ms; default 2,000. */
  readonly pauseMs?: number | undefined;
}

/** How long this process is taken to be the one that copies, ms: a small part of what the shortest lease is. */
const mineForMs = 2_000;

type Page = z.output<typeof exportProjections.output>;

const idsOf = (projections: Page['projections']): number[] => projections.map(({ id }) => id);

const isEmpty = ({ projections, broken }: Page): boolean => !projections.length && !broken.length;

/** The id that a page ends with. */
function lastId({ projections, broken }: Page, { descending }: Range): number {
  const ids = [...idsOf(projections.slice(-1)), ...broken.slice(-1)];
  return descending ? Math.min(...ids) : Math.max(...ids);
}

/** Members who are copied one after the other, from one end. */
interface Range {
  readonly after: number;
  readonly before: number;
  readonly descending: boolean;
}

const upFrom = (middle: number): Range => ({
  after: middle,
  before: Number.MAX_SAFE_INTEGER,
  descending: false,
});

const downFrom = (middle: number): Range => ({ after: 0, before: middle + 1, descending: true });

/** What is left behind a page. */
function behind(page: Page, range: Range): Range {
  const last = lastId(page, range);
  if (!range.descending) return { ...range, after: last };
  return { ...range, before: last };
}

/** How many members came, and those whom profile cannot make a projection of, by id. */
export interface Copied {
  readonly copied: number;
  readonly broken: readonly number[];
}

/** More than so many are no single members with broken documents, but a profile that fails. */
const mostBroken = (copied: number) => Math.max(10, copied / 1_000);

/**
 * Copies every member of profile into an index, page by page, without those whom profile cannot make a projection of; where they
 * are more than single members it throws. From the middle in both directions, because profile and its database take turns
 * at a page, and each id is beyond all that the index has, which it then need not look for. In each direction one page is written
 * while the next one is read. Changes that arrive meanwhile are written by the consumer; versions keep the newer of the
 * two.
 */
export async function copyMembers(options: CopyOptions): Promise<Copied> {
  const { profile, members, to, middle = 0, onProgress, renewLease, pauseMs = patience.pauseMs } = options;
  let copied = 0;
  const broken: number[] = [];
  let mineUntil = performance.now() + mineForMs;
  const givenUp = new AbortController();

  const ask = (range: Range): Promise<Page> => {
    const input = { ...range, limit: pageSize };
    return retryWhileUnavailable(() => profile.exportProjections(input), pauseMs);
  };
  const write = async (page: Page) => {
    const { projections } = page;
    await members.write(projections.map(memberDocument), to);
    copied += projections.length;
    broken.push(...page.broken);
    onProgress?.(copied);
    if (performance.now() < mineUntil) return;
    mineUntil = performance.now() + mineForMs;
    await renewLease();
  };
  const copy = async (range: Range) => {
    let writing = Promise.resolve();
    try {
      let rest = range;
      let page = await ask(rest);
      while (!isEmpty(page) && !givenUp.signal.aborted) {
        rest = behind(page, rest);
        const reading = ask(rest);
        // Waited for below; it may fail while the write is.
        reading.catch(() => undefined);
        await writing;
        writing = write(page);
        writing.catch(() => undefined);
        page = await reading;
      }
      await writing;
    } catch (error) {
      givenUp.abort();
      await writing.catch(() => undefined);
      throw error;
    }
  };
  const ended = await Promise.allSettled([copy(upFrom(middle)), middle > 0 && copy(downFrom(middle))]);
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  if (broken.length > mostBroken(copied)) {
    throw new Error(
      `profile cannot make a projection of ${pluralize(broken.length, 'member')}, first ${broken[0]}; its log says why`,
    );
  }
  return { copied, broken: broken.toSorted((one, other) => one - other) };
}
