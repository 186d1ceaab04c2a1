import type { ParameterDocument } from './endpoint-document.ts';
import { ref, typesKeyword, type Schema } from './schema.ts';

/**
 * Schemas that many parameters share; in `components`. Both take texts as well: the documents say the usual type, because
 * a union is a class without content in most generated clients.
 */
export const parameterSchemas: Readonly<Record<string, Schema>> = {
  ProfileId: {
    description: 'A member: the numeric `id`. Its digits and the UUID `member_id` are taken as well.',
    type: 'integer',
    minimum: 1,
    [typesKeyword]: ['integer', 'string'],
    examples: [1001],
  },
  PhotoId: {
    description: 'A photo: a number. Its digits are taken as well.',
    type: 'integer',
    minimum: 0,
    [typesKeyword]: ['integer', 'string'],
    examples: [4711],
  },
};

const number = (schema: Schema, description: string): ParameterDocument => ({
  schema: { type: 'integer', ...schema },
  description,
});

/** The member that a call is about. */
export const profileid: ParameterDocument = {
  schema: ref('ProfileId'),
  description: 'The other member.',
  required: true,
};
/** The member that a path is about. */
export const profileidInPath: ParameterDocument = {
  schema: {
    type: 'string',
    pattern: '^([0-9]{1,15}|[0-9A-Fa-f-]{36})$',
    [typesKeyword]: ['integer', 'string'],
  },
  description: 'The other member: the `id`, or the UUID `member_id`.',
};
/** One of the own photos. */
export const photoid: ParameterDocument = {
  schema: ref('PhotoId'),
  description: 'One of the own photos.',
  required: true,
};
/** Entries on a page. */
export const pagesize = number({ minimum: 1, maximum: 100, default: 20 }, 'Entries on a page.');
/** A page of a search. */
export const page = number({ minimum: 1, default: 1 }, 'The page, from 1.');
/** Where a page begins. */
export const cursor: ParameterDocument = {
  description: '`next` of the page before; the first page without it.',
};
/** The site of a call. */
export const siteid = number({ minimum: 1, examples: [1] }, 'The site.');
/** A language and country. */
export const locale: ParameterDocument = {
  schema: { type: 'string', pattern: '^[a-z]{2}_[A-Z]{2}$', examples: ['en_US'] },
  description: 'language_COUNTRY of the labels; the reader’s own where absent.',
};
/** Which app calls. */
export const platform: ParameterDocument = {
  schema: { type: 'string', examples: ['app_android', 'app_ios', 'web'] },
  description: 'Which kind of app calls; only logged.',
};
/** Why staff decide. */
export const reason: ParameterDocument = { description: 'Why, for the history.' };
/** What staff looked at. */
export const revision: ParameterDocument = {
  description: '`revision` of what was looked at; 409 when that has changed since.',
};
