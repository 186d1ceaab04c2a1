import { exportProjections, readProjections } from '@covalence/contract/peers/profile-for-search-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import { isForEveryone } from '@covalence/contract/answer-visibility';
import { answerByName } from '@covalence/contract/catalogue/answers';
import { projectedTraits } from '@covalence/contract/catalogue/criteria';
import { neutralAnswerRate, type SearchProjection } from '@covalence/contract/search-projection';
import type { Site } from '@covalence/contract/sites';
import type { RecordContext } from './records.ts';
import {
  isFreeTextAnswer,
  reviewedValue,
  gendersOf,
  isVisible,
  textOf,
} from '../members/document/member-values.ts';
import { mapMembers } from '../members/members.ts';
import type { FieldValue, Member } from '../members/document/member.ts';
import { visiblePhotos } from './fields/photo-object.ts';

const orNull = (text: string) => text || null;

const isMutable = Array.isArray as (value: FieldValue) => value is (string | number)[];

const projected = new Set(projectedTraits);

/** Whether a field is searched. A text that only its owner reads is not. */
const isSearched = (name: string, site: Site | undefined): boolean => {
  if (!projected.has(name)) return false;
  const answer = isFreeTextAnswer(name) ? answerByName(name) : undefined;
  return !answer || (site !== undefined && isForEveryone(answer, site));
};

const traitsOf = (member: Member, site: Site | undefined): SearchProjection['traits'] => {
  const traits: SearchProjection['traits'] = {};
  // Over the member's fields, which are fewer than those of the catalogue.
  for (const name in member.fields) {
    const value = isSearched(name, site) ? reviewedValue(member, name) : undefined;
    if (value !== undefined) traits[name] = isMutable(value) ? [...value] : value;
  }
  return traits;
};

function rendered(member: Member, { sites, members }: RecordContext): SearchProjection {
  const site: Site | undefined = sites.get(member.siteid);
  const { gender, preference } = gendersOf(member);
  const { status, expires_at } = member.membership;
  const visible = site !== undefined && isVisible(member);
  const date_of_birth = textOf(member, 'date_of_birth');
  // Elasticsearch rejects an empty date, which would abort every rebuild and repair.
  if (visible && !date_of_birth) throw new Error('the date of birth is missing');
  return {
    id: member._id,
    version: member.version,
    visible,
    deleted: member.deleted,
    siteid: member.siteid,
    group: site?.group ?? '',
    world_plus: site?.world_plus === true && member.fields['world_plus'] === 'opted_in',
    gender,
    gender_preference: preference,
    date_of_birth,
    position: members.shownPosition(member),
    country: orNull(textOf(member, 'country')),
    state: orNull(textOf(member, 'state')),
    zip: orNull(textOf(member, 'zip')),
    photo: visiblePhotos(member, false).length > 0,
    joined: member.joined.toISOString(),
    last_seen: member.presence.last_seen?.toISOString() ?? null,
    offline: member.presence.offline,
    platinum_until: status === 'active' && expires_at ? expires_at.toISOString() : null,
    answer_rate: member.answering?.rate ?? neutralAnswerRate,
    ...(member.fields['record_searches'] === false && { recorded: false }),
    ...(member.was_hidden && { was_hidden: true }),
    traits: traitsOf(member, site),
  };
}

/** The projection of a member for the search index. Throws an error that names the member. */
export function projectionOf(member: Member, context: RecordContext): SearchProjection {
  try {
    return rendered(member, context);
  } catch (error) {
    throw new Error(`member ${member._id} has no projection`, { cause: error });
  }
}

function projectionsOf(members: readonly Member[], context: RecordContext) {
  const { results, broken } = mapMembers(members, (member) => projectionOf(member, context), context.logger);
  return { projections: results, broken };
}

/** POST /internal/projections: the projections of the members that exist, in the order asked for. */
export const projectionsByIds = serviceEndpoint(readProjections, async (input, context: RecordContext) =>
  projectionsOf(await context.members.store.byIds(input.ids), context),
);

/** POST /internal/projections/export: every projection, page by page, from either end. */
export const projectionsBetween = serviceEndpoint(exportProjections, async (input, context: RecordContext) =>
  projectionsOf(await context.members.store.between(input, input.limit), context),
);
