import { criterionByName } from '@covalence/contract/catalogue/criteria';
import { dayMs } from '@covalence/contract/time';
import { chunks } from '@covalence/runtime/chunks';
import type { estypes } from '@elastic/elasticsearch';
import { candidateOf } from '../../predicates/criterion-predicates.ts';
import type { VisibleSource } from '../../index/member-document.ts';
import { idOf } from '../../relevance/read-hits.ts';
import { activeDays, chanceOfPresence } from '../chances.ts';
import type { DiscoverContext } from '../discover.ts';
import type { Participant } from './sample-pairs.ts';
import type { Throttle } from './throttle.ts';
import { preferencesOf } from '../preferences.ts';

/** Members, and ids, that are read at once. */
const perRead = { members: 500, ids: 5_000 };

/** Columns read of a member, apart from the answers. */
const columns = [
  'siteid',
  'gender',
  'gender_preference',
  'date_of_birth',
  'zodiac',
  'joined',
  'last_seen',
  'answer_rate',
  'position',
  'country',
  'state',
  'zip',
  'platinum_until',
] as const satisfies readonly (keyof VisibleSource)[];

/** A member as read: without answers, if none of them is asked for. */
type ReadSource = Omit<VisibleSource, 'traits'> & Partial<Pick<VisibleSource, 'traits'>>;

/** The visible members of some sites who were active recently. */
function eligible(siteids: readonly number[], { clock }: DiscoverContext) {
  const since = new Date(clock().getTime() - activeDays * dayMs).toISOString();
  return [
    { term: { visible: true } },
    { terms: { siteid: [...siteids] } },
    { range: { last_seen: { gte: since } } },
  ] as const satisfies estypes.QueryDslQueryContainer[];
}

/** The ids of the members of some sites who take part. Undefined where it may not go on. */
export async function readIds(
  siteids: readonly number[],
  context: DiscoverContext,
  throttle: Throttle,
): Promise<number[] | undefined> {
  const ids: number[] = [];
  const query = { bool: { filter: eligible(siteids, context) } };
  for await (const page of context.index.members.idPages(query, perRead.ids)) {
    ids.push(...page);
    if (!(await throttle())) return undefined;
  }
  return ids;
}

/** The answers that anybody's match criteria are compared with: the others need no memory. */
export async function readAskedAnswers({ saved }: DiscoverContext): Promise<string[]> {
  const asked = [...(await saved.matchCriteria.names())].map(criterionByName);
  return asked.flatMap((one) => (one?.field && !one.text ? [`traits.${one.field}`] : []));
}

/** Members of some sites to read, and the columns of their answers. */
interface ParticipantQuery {
  readonly ids: readonly number[];
  readonly siteids: readonly number[];
  readonly answers: readonly string[];
}

/** Reads members with their answers and match criteria. Undefined where it may not go on. */
export async function readParticipants(
  { ids, siteids, answers }: ParticipantQuery,
  context: DiscoverContext,
  throttle: Throttle,
): Promise<Participant[] | undefined> {
  const { index, saved, sites, settings } = context;
  const now = context.clock();
  const { relevance } = await settings.active.current();
  const options = { sites, relevance, now };
  const participants: Participant[] = [];
  for (const some of chunks(ids, perRead.members)) {
    const [{ hits }, wanted] = await Promise.all([
      index.members.search({
        query: { bool: { filter: [...eligible(siteids, context), { terms: { id: some } }] } },
        size: perRead.members,
        sort: [{ id: 'asc' }],
        _source: [...columns, ...answers],
      }),
      saved.matchCriteria.readMany(some),
    ]);
    for (const hit of hits) {
      const id = idOf(hit);
      const read = hit._source as ReadSource;
      const source = { ...read, id, keywords: [], traits: read.traits ?? {} };
      const { gender, gender_preference: preference, position } = source;
      participants.push({
        id,
        audience: `${gender} ${preference}`,
        seeks: `${preference} ${gender}`,
        position,
        candidate: candidateOf(source, now),
        preferences: preferencesOf(source, wanted.get(id) ?? {}, options),
        presence: chanceOfPresence(source, now),
      });
      if (!(await throttle())) return undefined;
    }
  }
  return participants;
}
