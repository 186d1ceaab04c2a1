import type { SearchProjection } from '@covalence/contract/search-projection';
import type { Peer } from '@covalence/http/peer';
import { chunks } from '@covalence/runtime/chunks';
import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { DocumentStore, StoredDocument } from '../document-store.ts';
import { hiddenSource, memberDocument, type MemberDocument } from '../member-document.ts';

/** The two sides of a comparison. */
export interface ComparisonOptions {
  readonly profile: Peer<'profile'>;
  readonly documents: DocumentStore;
  /** The alias that is compared. */
  readonly alias: string;
  /** Pause before differences are compared again, ms; default 1,000. */
  readonly pauseMs?: number | undefined;
}

/**
 * The difference of a document from its member: missing; an older version; the same version with other
 * content; a newer version (profile was restored from a backup); a member whom profile does not know, or
 * whose projection it cannot make.
 */
type DifferenceKind = 'missing' | 'behind' | 'different' | 'ahead' | 'unknown' | 'broken';

/** One document that differs from its member. */
export interface Difference {
  readonly id: number;
  readonly kind: DifferenceKind;
  /** The correct document, with a version that overwrites the stored one; absent for a broken member. */
  readonly document?: MemberDocument;
}

const asJson = (source: unknown): unknown => JSON.parse(JSON.stringify(source)) as unknown;

function kindOf(expected: MemberDocument, stored: StoredDocument | undefined): DifferenceKind | undefined {
  if (!stored) return 'missing';
  if (stored.version < expected.version) return 'behind';
  if (isDeepStrictEqual(asJson(expected.source), stored.source)) return undefined;
  return stored.version === expected.version ? 'different' : 'ahead';
}

const differenceOf = (projection: SearchProjection, stored: StoredDocument | undefined): Difference[] => {
  const document = memberDocument(projection);
  const kind = kindOf(document, stored);
  const version = Math.max(document.version, stored?.version ?? 0);
  return kind ? [{ id: document.id, kind, document: { ...document, version } }] : [];
};

/** Members per call to profile. */
const perCall = 1_000;

async function fetchProjections(ids: readonly number[], profile: Peer<'profile'>) {
  const projections: SearchProjection[] = [];
  const broken: number[] = [];
  for (const some of chunks(ids, perCall)) {
    const found = await profile.readProjections({ ids: some });
    projections.push(...found.projections);
    broken.push(...found.broken);
  }
  return { projections, broken };
}

/** Compares members with their documents. Documents are read first, so that one that seems newer than its member is. */
async function compareByIds(ids: readonly number[], options: ComparisonOptions): Promise<Difference[]> {
  const stored = await options.documents.read(ids, options.alias);
  const { projections, broken } = await fetchProjections(ids, options.profile);
  const known = new Set([...projections.map(({ id }) => id), ...broken]);
  const unknown = [...stored]
    .filter(([id, { source }]) => !known.has(id) && !isDeepStrictEqual(source, hiddenSource(id)))
    .map(([id, { version }]): Difference => {
      const document = { id, version, source: hiddenSource(id) };
      return { id, kind: 'unknown', document };
    });
  return [
    ...projections.flatMap((one) => differenceOf(one, stored.get(one.id))),
    ...unknown,
    ...broken.map((id): Difference => ({ id, kind: 'broken' })),
  ];
}

/** The members of one page and their differences; `next` is where the next page begins, absent at the end. */
export interface ComparedPage {
  readonly next?: number;
  readonly ids: readonly number[];
  readonly differences: readonly Difference[];
}

/**
 * Compares a page of profile's export with the index, and looks for documents in the same range that profile does not know. If
 * there are more of these than one query returns, the page ends with the last one found. Differences are confirmed by id.
 */
export async function comparePage(
  after: number,
  limit: number,
  options: ComparisonOptions,
): Promise<ComparedPage> {
  const { profile, documents, alias } = options;
  const { projections, broken } = await profile.exportProjections({ after, limit });
  const known = [...projections.map(({ id }) => id), ...broken];
  const last = known.length ? Math.max(...known) : undefined;
  const [stored, unknownMembers] = await Promise.all([
    documents.read(known, alias),
    documents.unknownMembers({ after, upTo: last, known }, alias),
  ]);
  const end = unknownMembers.more ? unknownMembers.ids.at(-1) : last;
  const isWithin = (id: number) => end !== undefined && id <= end;
  const differing = projections.filter((one) => differenceOf(one, stored.get(one.id)).length > 0);
  const suspects = [...differing.map(({ id }) => id), ...broken].filter(isWithin);
  return {
    ...(end !== undefined && { next: end }),
    ids: known.filter(isWithin),
    differences: [
      ...(await compareByIds(suspects, options)),
      ...(await compareByIds(unknownMembers.ids, options)),
    ],
  };
}

/** Members per page of a sample, and how often differences are compared again. */
const sampling = { page: 50, attempts: 4, pauseMs: 1_000 };

/**
 * The ids after which the pages of a sample begin. If the pages hold every member, all begin at 0. Otherwise half are drawn from
 * documents, because ids can have large gaps, and half from the range of ids, because members can lack documents.
 */
async function startsOf(pages: number, { documents, alias }: ComparisonOptions): Promise<number[]> {
  const { total, ids } = await documents.draw(Math.ceil(pages / 2), alias);
  if (total <= pages * sampling.page) return Array.from({ length: pages + 1 }, () => 0);
  const highest = await documents.highestId(alias);
  const byNumber = Array.from({ length: Math.floor(pages / 2) }, () => randomInt(highest + 1));
  return [0, highest, ...ids, ...byNumber].toSorted((one, another) => one - another);
}

/**
 * Compares an even sample of about `size` members (all if there are fewer) and the members newer than the index. Compares
 * differences again for a few seconds, because events may be in flight.
 */
export async function compareSample(
  size: number,
  options: ComparisonOptions,
): Promise<{ compared: number; differences: readonly Difference[] }> {
  const starts = await startsOf(Math.max(1, Math.ceil(size / sampling.page)), options);
  const suspects = new Map<number, Difference>();
  const seen = new Set<number>();
  let reached = 0;
  // In order, each from the end of the one before, so that no member is compared twice.
  for (const start of starts) {
    const page = await comparePage(Math.max(start, reached), sampling.page, options);
    for (const id of page.ids) seen.add(id);
    for (const difference of page.differences) suspects.set(difference.id, difference);
    if (page.next === undefined) break;
    reached = page.next;
  }
  let differences = [...suspects.values()];
  for (let attempt = 1; differences.length && attempt < sampling.attempts; attempt += 1) {
    await wait(options.pauseMs ?? sampling.pauseMs);
    const ids = differences.map(({ id }) => id);
    differences = await compareByIds(ids, options);
  }
  return { compared: seen.size, differences };
}

const repairedPerPage = 1_000;

/**
 * Compares every member with the index and overwrites the documents that differ, also those of members unknown to profile. A newer
 * version is never overwritten. `broken` are members whose projection profile cannot make; their documents stay.
 */
export async function repairIndex(options: ComparisonOptions, onPage?: () => Promise<void>) {
  let [compared, repaired] = [0, 0];
  const broken: number[] = [];
  for (let after: number | undefined = 0; after !== undefined;) {
    const { ids, next, differences }: ComparedPage = await comparePage(after, repairedPerPage, options);
    const documents = differences.flatMap(({ document }) => document ?? []);
    await options.documents.overwrite(documents, options.alias);
    compared += ids.length;
    repaired += documents.length;
    broken.push(...differences.flatMap(({ id, document }) => (document ? [] : [id])));
    after = next;
    await onPage?.();
  }
  return { compared, repaired, broken };
}
