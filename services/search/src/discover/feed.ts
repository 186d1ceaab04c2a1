import { criterionByName } from '@covalence/contract/catalogue/criteria';
import { notFound } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import { documented, pagesize, platform } from '@covalence/contract/parameters';
import { utcDay } from '@covalence/contract/time';
import { endpoint } from '@covalence/http/endpoint';
import { hash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { sourceOf, visibleSource } from '../index/member-document.ts';
import { exclusionKinds, type Viewer } from '../criteria/relations.ts';
import type { StoredCriteria } from '../criteria/stored-criteria.ts';
import { siteRelevance } from '../relevance/relevance-settings.ts';
import type { SnapshotFacts } from './profile-snapshot-store.ts';
import { controlParameters } from '../searches/control-parameters.ts';
import { recordsById } from '../searches/run-search.ts';
import { checkShown } from '../searches/shown-answers.ts';
import type { DiscoverContext } from './discover.ts';
import { generateFeed, effectiveCriteria } from './generate-feed.ts';
import { reasonsOf } from './reasons.ts';
import { preferencesOf } from './preferences.ts';

/** A member of a feed as a client sees it. */
export const discovered = z
  .looseObject({
    id: z.int(),
    reasons: z.array(z.string()).meta({
      description:
        'Names of the fields that speak for the member: answers in common, and those that the caller looks for. Everybody may read both members’ answers in them.',
      examples: [['smoking', 'i_hiking']],
    }),
  })
  .meta({ id: 'DiscoveredMember' });

/** The parameters with which members are shown. */
export const shownWith = { fields: controlParameters.fields, platform };

/** The facts that the criteria of others are compared with: no texts. */
function factsOf({ member }: Viewer): SnapshotFacts {
  const { date_of_birth, zodiac, joined, position, country, state, zip, traits } = sourceOf(member);
  const coded = Object.entries(traits).filter(([name]) => !criterionByName(name)?.text);
  return { date_of_birth, zodiac, joined, position, country, state, zip, traits: Object.fromEntries(coded) };
}

/** Changes with everything by which a member looks for others. */
function basisOf({ member, platinum }: Viewer, criteria: StoredCriteria): string {
  const { siteid, group, gender, gender_preference } = member;
  const facts = [criteria, siteid, group, gender, gender_preference, platinum];
  return hash('sha256', JSON.stringify(facts), 'base64url').slice(0, 16);
}

/** Reads the viewer of a feed with their relations, whom these exclude, and their criteria. Throws 404 where their site has none. */
export async function readDiscovering(member: number, context: DiscoverContext) {
  const [{ viewer, excluded, relations }, stored, { relevance }] = await Promise.all([
    context.relations.read(member, exclusionKinds),
    context.saved.matchCriteria.read(member),
    context.settings.active.current(),
  ]);
  if (!siteRelevance(relevance, viewer.member.siteid).discover) throw notFound();
  return { viewer, excluded, relations, criteria: effectiveCriteria(viewer, stored.criteria) };
}

/** Renders members as search results, with the reasons for each; those who may not be met any more are omitted. */
export async function renderDiscovered(
  { viewer, relations, criteria }: Omit<Awaited<ReturnType<typeof readDiscovering>>, 'excluded'>,
  ids: readonly number[],
  fields: readonly string[],
  context: DiscoverContext,
) {
  const { index, sites, settings } = context;
  const now = context.clock();
  const [records, documents, { relevance }] = await Promise.all([
    recordsById(viewer.member.id, ids, fields, context, { relations }),
    index.documents.read(ids, index.aliases.live),
    settings.active.current(),
  ]);
  const own = sourceOf(viewer.member);
  const preferences = preferencesOf(own, criteria, { sites, relevance, now });
  return ids.flatMap((id) => {
    const record = records.get(id);
    const other = visibleSource(documents.get(id)?.source);
    return record && other
      ? [{ ...record, reasons: reasonsOf(own, preferences, other, { sites, now }) }]
      : [];
  });
}

/** The member's list of today, generated again when they look for others. */
async function listOf(member: number, context: DiscoverContext) {
  const { discover, clock } = context;
  const [discovering, last] = await Promise.all([
    readDiscovering(member, context),
    discover.feeds.find(member),
  ]);
  const { viewer, criteria, excluded } = discovering;
  const [day, basis] = [utcDay(clock()), basisOf(viewer, criteria)];
  const known = { ...discovering, excluded: new Set(excluded) };
  if (last?.day === day && last.basis === basis)
    return { ...known, list: last.list, members: last.members, keep: () => Promise.resolve() };
  const snapshot = discover.snapshots.onDay(day, {
    member,
    facts: factsOf(viewer),
    isFirst: last?.day !== day,
  });
  const { members, tastes } = await generateFeed({ ...discovering, day, snapshot }, context);
  const list = randomBytes(6).toString('base64url');
  const keep = () =>
    Promise.all([
      discover.feeds.put(member, { list, day, basis, members }),
      tastes.length ? discover.tastes.put(member, tastes) : discover.tastes.forget([member]),
    ]);
  return { ...known, list, members, keep };
}

/** A place in a list: after which member of which list. */
interface FeedCursor {
  readonly list: string;
  readonly after: number;
}

const feedCursor = z
  .string()
  .regex(/^[\w-]{8}\.\d{1,15}$/)
  .transform((text): FeedCursor => {
    const [list = '', after] = text.split('.');
    return { list, after: Number(after) };
  });

/** The members of a page, and the cursor of the next one. */
function pageOf(
  { list, members, excluded }: Awaited<ReturnType<typeof listOf>>,
  cursor: FeedCursor | undefined,
  size: number,
): { ids: number[]; next: string | null } {
  // A cursor of another list begins this one, in which the same member has another place.
  const from = cursor?.list === list ? members.indexOf(cursor.after) + 1 : 0;
  const left = members.slice(from).filter((id) => !excluded.has(id));
  const ids = left.slice(0, size);
  return { ids, next: left.length > size ? `${list}.${ids.at(-1)}` : null };
}

/** GET /discover: a page of the member's feed. */
export const readFeed = endpoint({
  access: 'member',
  tag: 'Search',
  operationId: 'discoverMembers',
  summary: 'List members whom both sides may like',
  description:
    'The feed of the day: at most 100 members who meet the limits of the caller’s match criteria (age, place) and whose limits the caller meets, the best for both first. A new one begins at midnight UTC; changed match criteria draw it again; a cursor of another list begins the new one. To the criteria and tastes of others the caller looks the same for a week, except that one change of the profile in a week counts from the next day. Some members, different ones each week, are left out at random, so that a missing member does not reveal limits. Members whom the caller liked, passed, declined or blocked are left out. A site may limit the records that are read in a day (429). 404 where the site has no feed.',
  answer: 'A page of the feed.',
  input: z.object({
    cursor: feedCursor.optional().meta(documented.cursor),
    pagesize,
    ...shownWith,
  }),
  output: z.object({ users: z.array(discovered), next: z.string().nullable() }).meta({ id: 'DiscoverPage' }),
  codes: [failCodes.locationInvalid],
  statuses: [404],
  handler: async ({ input: { cursor, pagesize, fields }, caller }, context: DiscoverContext) => {
    const list = await listOf(caller.id, context);
    checkShown(fields, list.viewer.member.siteid, context);
    const { ids, next } = pageOf(list, cursor, pagesize);
    const [users] = await Promise.all([renderDiscovered(list, ids, fields, context), list.keep()]);
    return { users, next };
  },
});
