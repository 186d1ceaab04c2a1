import { deactivated, forbidden, notFound } from '@covalence/contract/failure';
import type { Member } from '../../members/document/member.ts';
import { readViewer, renderRecords } from '@covalence/contract/peers/profile-for-search-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import type { z } from 'zod';
import type { PairsContext } from '../pairs.ts';
import { localeFor } from '../../members/members.ts';
import { isPlatinum, numberOf, positionOf } from '../../members/document/member-values.ts';
import type { ChangedPair } from '../pair-list-store.ts';
import { projectionOf } from '../../record/projection.ts';
import { answerByName } from '@covalence/contract/catalogue/answers';
import { countToday } from '../daily-limit.ts';
import { readOthers, recordsOfOthers } from './records-of-others.ts';

/** The viewer of a search. Throws 404 where there is none, 403 while deactivated or suspended. */
function activeViewer(viewer: Member | undefined): Member {
  if (!viewer || viewer.deleted) throw notFound();
  if (viewer.deactivated) throw deactivated();
  if (viewer.suspended) throw forbidden();
  return viewer;
}

type Relation = z.infer<typeof readViewer.output>['relations'][number];

const relationOf = ({ other, version, sides: { mine, theirs } }: ChangedPair): Relation => ({
  other,
  version,
  blocked_by: theirs.blocked_at !== undefined,
  blocks: mine.blocked_at !== undefined,
  declines: mine.stance === 'declined',
  likes: mine.stance === 'liked',
  passed_until: mine.passed_until?.toISOString() ?? null,
});

/** POST /internal/viewers: the member who searches, as stored now, and the changes of their pairs. */
export const viewerOfSearch = serviceEndpoint(readViewer, async (input, context: PairsContext) => {
  const { id, relations } = input;
  const [found, pairs] = await Promise.all([
    context.members.store.byId(id),
    relations && context.pairs.store.changedSince(id, relations.since),
  ]);
  const member = activeViewer(found);
  return {
    member: projectionOf(member, context),
    position: positionOf(member),
    platinum: isPlatinum(member, context.clock()),
    relations: pairs?.changes.map(relationOf) ?? [],
    ...(pairs?.next !== undefined && { next: pairs.next }),
    agefrom: numberOf(member, 'agefrom'),
    ageto: numberOf(member, 'ageto'),
    locale: localeFor(context, member),
  };
});

type KnownViewer = NonNullable<z.infer<typeof renderRecords.input>['known']>;

type Changes = Awaited<ReturnType<PairsContext['pairs']['store']['changedSince']>>;

/** Whether `viewerOfSearch` would still answer what a search knows of its viewer. */
const isCurrent = (known: KnownViewer, viewer: Member, { changes, next }: Changes, now: Date): boolean =>
  viewer.version === known.version &&
  isPlatinum(viewer, now) === known.platinum &&
  next === undefined &&
  changes.reduce((sum, { version }) => sum + version, 0) === known.pairs;

/** POST /internal/records: the records of a search page, without members who are no longer eligible. */
export const searchPage = serviceEndpoint(renderRecords, async (input, context: PairsContext) => {
  const { viewer: id, ids, related, fields, known, for_staff } = input;
  const answers = fields.filter(answerByName);
  const [read, changed] = await Promise.all([
    readOthers(context, id, ids, { answers, related }),
    known && context.pairs.store.changedSince(id, known.since),
  ]);
  const viewer = activeViewer(read.viewer);
  if (known && changed && !isCurrent(known, viewer, changed, context.clock()))
    return { records: [], current: false };
  const records = recordsOfOthers(context, viewer, read, 'search');
  // Before they are sent.
  if (!for_staff && records.length) await countToday(context, viewer, 'results', { amount: records.length });
  return { records, current: true };
});
