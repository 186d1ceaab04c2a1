import type { SearchProjection } from '@covalence/contract/search-projection';
import type { Peer } from '@covalence/http/peer';
import { chunks } from '@covalence/runtime/chunks';
import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { DocumentStore, StoredDocument } from './document-store.ts';
import { memberDocument, type MemberDocument } from './member-document.ts';

/** What a comparison works with. */
export interface ComparisonOptions {
  readonly profile: Peer<'profile'>;
  readonly documents: DocumentStore;
  /** The alias that is compared. */
  readonly alias: string;
  /** Between two looks at what differs, ms; default 1,000. */
  readonly pauseMs?: number | undefined;
}

/**
 * How a document differs from its member: it is not there; it is older; its version is the member's but not what it
 * holds; it is newer than the member (who came back from a backup); profile does not know the member, or cannot make a
 * projection of them.
 */
type DifferenceKind = 'missing' | 'behind' | 'different' | 'ahead' | 'unknown' | 'broken';

/** One document that is not as its member is. */
export interface Difference {
  readonly id: number;
  readonly kind: DifferenceKind;
  /** What must be there, with a version that goes over what is; nobody knows it of a broken member, whose document stays. */
  readonly document?: MemberDocument;
}

/** What a comparison of a sample came to. */
export interface SampleResult {
  readonly compared: number;
  readonly differences: readonly Difference[];
}

const asJson = (source: unknown): unknown => JSON.parse(JSON.stringify(source)) as unknown;

function kindOf(expected: MemberDocument, kept: StoredDocument | undefined): DifferenceKind | undefined {
  if (!kept) return 'missing';
  if (kept.version < expected.version) return 'behind';
  if (isDeepStrictEqual(asJson(expected.source), kept.source)) return undefined;
  return kept.version === expected.version ? 'different' : 'ahead';
}

const differenceOf = (projection: SearchProjection, kept: StoredDocument | undefined): Difference[] => {
  const document = memberDocument(projection);
  const kind = kindOf(document, kept);
  const version = Math.max(document.version, kept?.version ?? 0);
  return kind ? [{ id: document.id, kind, document: { ...document, version } }] : [];
};

/** Members that profile tells of in one call. */
const perCall = 1_000;

/** The projections of members by id; unknown ones are left out. */
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

/** What stays of a member whom nobody is to find. */
const nobody = (id: number) => ({ id, visible: false });

/**
 * Compares members with their documents. Documents are read first, so that one that seems newer than its member
 * really is.
 */
export async function compareByIds(
  ids: readonly number[],
  compared: ComparisonOptions,
): Promise<Difference[]> {
  const kept = await compared.documents.read(ids, compared.alias);
  const { projections, broken } = await fetchProjections(ids, compared.profile);
  const known = new Set([...projections.map(({ id }) => id), ...broken]);
  const unknown = [...kept]
    .filter(([id, { source }]) => !known.has(id) && !isDeepStrictEqual(source, nobody(id)))
    .map(([id, { version }]): Difference => {
      const document = { id, version, source: nobody(id) };
      return { id, kind: 'unknown', document };
    });
  return [
    ...projections.flatMap((one) => differenceOf(one, kept.get(one.id))),
    ...unknown,
    ...broken.map((id): Difference => ({ id, kind: 'broken' })),
  ];
}

/** One page of every member: those who may differ are looked at again by id. */
export interface ComparedPage {
  /** Where the next page begins; absent at the end. */
  readonly next?: number;
  /** The members of the page. */
  readonly ids: readonly number[];
  readonly differences: readonly Difference[];
}

/**
 * Compares a page of profile's export with the index, and the index' members between them that profile does not know. Where
 * those are more than one look finds, the page ends with the last that it found.
 */
export async function comparePage(
  after: number,
  limit: number,
  compared: ComparisonOptions,
): Promise<ComparedPage> {
  const { profile, documents, alias } = compared;
  const { projections, broken } = await profile.exportProjections({ after, limit });
  const known = [...projections.map(({ id }) => id), ...broken];
  const last = known.length ? Math.max(...known) : undefined;
  const [kept, unknownMembers] = await Promise.all([
    documents.read(known, alias),
    documents.unknownMembers({ after, upTo: last, known }, alias),
  ]);
  const end = unknownMembers.more ? unknownMembers.ids.at(-1) : last;
  const isWithin = (id: number) => end !== undefined && id <= end;
  const differing = projections.filter((one) => differenceOf(one, kept.get(one.id)).length > 0);
  const suspects = [...differing.map(({ id }) => id), ...broken].filter(isWithin);
  return {
    ...(end !== undefined && { next: end }),
    ids: known.filter(isWithin),
    differences: [
      ...(await compareByIds(suspects, compared)),
      ...(await compareByIds(unknownMembers.ids, compared)),
    ],
  };
}

/** Members of one page of a sample, and how often and how long what differs is given time to arrive. */
const sampling = { page: 50, tries: 4, pauseMs: 1_000 };

/**
 * Behind which ids the pages of a sample begin. All from the beginning where that many pages hold every member. Else half of
 * them by documents, because numbers may be far apart (a restore leaves a million out), and half by numbers, because members
 * without documents are among those that are looked for.
 */
async function startsOf(pages: number, { documents, alias }: ComparisonOptions): Promise<number[]> {
  const { total, ids } = await documents.draw(Math.ceil(pages / 2), alias);
  if (total <= pages * sampling.page) return Array.from({ length: pages + 1 }, () => 0);
  const highest = await documents.highestId(alias);
  const byNumber = Array.from({ length: Math.floor(pages / 2) }, () => randomInt(highest + 1));
  return [0, highest, ...ids, ...byNumber].toSorted((one, another) => one - another);
}

/**
 * Compares about `size` members, drawn evenly, all where there are no more, and those that are newer than the index knows. What
 * differs is looked at again for a few seconds, because news may be on their way.
 */
export async function compareSample(size: number, compared: ComparisonOptions): Promise<SampleResult> {
  const starts = await startsOf(Math.max(1, Math.ceil(size / sampling.page)), compared);
  const suspects = new Map<number, Difference>();
  const seen = new Set<number>();
  let reached = 0;
  // In order, each from where the one before ended: of a few members none is compared twice.
  for (const start of starts) {
    const page = await comparePage(Math.max(start, reached), sampling.page, compared);
    for (const id of page.ids) seen.add(id);
    for (const difference of page.differences) suspects.set(difference.id, difference);
    if (page.next === undefined) break;
    reached = page.next;
  }
  let differences = [...suspects.values()];
  for (let attempt = 1; differences.length && attempt < sampling.tries; attempt += 1) {
    await wait(compared.pauseMs ?? sampling.pauseMs);
    const ids = differences.map(({ id }) => id);
    differences = await compareByIds(ids, compared);
  }
  return { compared: seen.size, differences };
}
