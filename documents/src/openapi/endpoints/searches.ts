import { mostShownAnswers } from '@covalence/contract/catalogue/answers';
import { exclusionKinds } from '@covalence/search/relations/relation';
import { sortBys } from '@covalence/search/relevance/sort';
import type { EndpointDocument, EndpointDocuments, ParameterDocument } from '../endpoint-document.ts';
import { page, platform } from '../parameters.ts';
import { ref, type Schema } from '../schema.ts';
import { searchPage } from '../samples.ts';

const kinds = [...exclusionKinds, 'none'];

/**
 * The control parameters of a search that is kept or was kept: what is not sent stays as it is, so that
 * there is no default, which generated clients would send.
 */
const controls = {
  pagesize: {
    schema: { type: 'integer', minimum: 1, maximum: 100 },
    description: 'Entries on a page; 20 where nothing else is said.',
  },
  sortby: {
    schema: {
      type: 'string',
      enum: [...sortBys],
    },
    description: 'The order; ties go by relevance, then id. `distance` where nothing else is said.',
  },
  exclude: {
    schema: { type: 'array', items: { type: 'string', enum: kinds } },
    description:
      'Whom to leave out, as a list or with commas between; `none` stands alone, and all are left out where nothing is said. Who blocks the caller is always left out.',
  },
  fields: {
    schema: { type: 'array', items: { type: 'string' }, maxItems: mostShownAnswers },
    description:
      'Names of the answers to show with each result, as a list or with commas between. One that the searcher’s site does not let everyone read is 403 without code.',
  },
} satisfies Record<string, ParameterDocument>;

/** Taken, because a search may be kept as it was sent, and not kept: they belong to each run. */
const perRun = { page: { hidden: true }, explain: { hidden: true } } satisfies Record<
  string,
  ParameterDocument
>;

const paging = {
  ...controls,
  page,
  explain: {
    schema: { type: 'boolean', default: false },
    description: 'Adds what each criterion gave, but for those on answers that their owner alone reads.',
  },
  platform,
} satisfies Record<string, ParameterDocument>;

const { fields: _fields, ...withoutFields } = paging;

/** A page of results with the member records that profile renders into it. */
const found: Schema = ref('SearchPage');

const criteria = { age: { from: 30, to: 45 }, location: { within: 150 }, smoking: { values: [10, 20] } };

const search: EndpointDocument = {
  tag: 'Search',
  description:
    'Criteria beside the control parameters; `age` is required, and of `zipcode`, `state` and `location` only one may be given. Platinum-only criteria of others are ignored, except a platinum-only `within` (31007). `totalmatches` is exact; results beyond 10,000 are an empty page. A control parameter out of range is 403 without code. `distance`, `within` and the order by distance are measured to a displaced position: whole miles, within 4 of the truth. More than 600 different origins in an hour are 429, unless the operator sets another limit. POST is recommended; in a query string criteria nest: `age[from]=30`. A site may limit the records that are read in a day (429).',
  parameters: paging,
  criteria: 'given',
  answer: found,
  example: { request: criteria, answer: searchPage },
};

const saved = { id: '9b2c1f8e-54a4-4f0b-8f0e-3a8d2f6c7b11', name: 'Near and mine', ...criteria };

const byId = { description: 'The saved search.' };
const name: ParameterDocument = {
  schema: { type: 'string', minLength: 1, maxLength: 32 },
  description: 'Unique among the member’s.',
};

/** v1. */
const legacy = {
  distance: {
    schema: { type: 'integer', enum: [-1, 20, 30, 40, 50, 150, 500, 1000] },
    description: 'Miles.',
  },
  agefrom: { schema: { type: 'integer', minimum: 18, maximum: 120 }, description: 'With `ageto`.' },
  ageto: { schema: { type: 'integer', minimum: 18, maximum: 120 }, description: 'With `agefrom`.' },
  lookingfor: { schema: ref('Gender'), description: 'Whom.' },
  zip: {
    schema: { type: 'string', maxLength: 20 },
    description: 'Where; also `zippostalcode`. Of the country given, else the member’s.',
  },
  country: { schema: { type: 'string', pattern: '^[A-Za-z]{2}$' }, description: 'ISO 3166-1 alpha-2.' },
} satisfies Record<string, ParameterDocument>;

const question = { name: 'age', label: 'Age', form: 'range', accessible: true, from: 18, to: 120 } as const;

/** Search, saved searches and match criteria. */
export const searches: EndpointDocuments = {
  'POST /searches': search,
  'GET /searches': search,
  'GET /searches/questions': {
    tag: 'Search',
    description:
      'Every criterion of the member’s site in their language: `basic`, `platinum`, and `my-matches`, those that can be stored.',
    example: { answer: { basic: [question], platinum: [], 'my-matches': [question] } },
  },
  'GET /searches/saved': {
    tag: 'Search',
    description: 'By name.',
    criteriaInAnswer: true,
    example: { answer: { searches: [saved] } },
  },
  'POST /searches/saved': {
    tag: 'Search',
    description:
      'Keeps a name and a search. At most 100; one more is 403 without code. An `id` is not accepted (20224).',
    criteriaInAnswer: true,
    parameters: {
      ...controls,
      name: { ...name, required: true },
      platform,
      ...perRun,
      id: { hidden: true },
    },
    criteria: 'given',
    example: { request: { name: 'Near and mine', ...criteria }, answer: saved },
  },
  'GET /searches/saved/:id': {
    tag: 'Search',
    description: 'One of the member’s own.',
    criteriaInAnswer: true,
    parameters: { id: byId },
    example: { request: { id: saved.id }, answer: saved },
  },
  'POST /searches/saved/:id': {
    tag: 'Search',
    description: 'What is named is merged into it; null removes a criterion.',
    criteriaInAnswer: true,
    parameters: { ...controls, ...perRun, id: byId, name, platform },
    criteria: 'merged',
    example: { request: { id: saved.id, name: 'Near and mine' }, answer: saved },
  },
  'DELETE /searches/saved/:id': {
    tag: 'Search',
    description: 'Gone with the answer.',
    parameters: { id: byId },
    example: { request: { id: saved.id }, answer: {} },
  },
  'POST /searches/saved/:id/run': {
    tag: 'Search',
    description:
      'Runs it as POST /searches would; control parameters given now go before those kept. Criteria given here are 403 without code.',
    parameters: { ...paging, id: byId },
    answer: found,
    example: { request: { id: saved.id, page: 1 }, answer: searchPage },
  },
  'POST /search': {
    tag: 'Search',
    description: 'The search of v1, for old apps.',
    parameters: { ...withoutFields, ...legacy },
    answer: found,
    example: { request: { distance: 150, agefrom: 30, ageto: 45 }, answer: searchPage },
  },
  'GET /members/self/criteria': {
    tag: 'Search',
    description: 'The My Match criteria by name, each in the form that a search takes.',
    answer: ref('SearchCriteria'),
    example: { answer: criteria },
  },
  'POST /members/self/criteria': {
    tag: 'Search',
    description: 'What is named is merged into what is stored; null removes a criterion.',
    parameters: { platform },
    criteria: 'merged',
    answer: ref('SearchCriteria'),
    example: { request: { smoking: { value: 10 } }, answer: { ...criteria, smoking: { value: 10 } } },
  },
  'POST /members/self/matchcriteria': {
    tag: 'Search',
    description: 'The match criteria of v1, for old apps; merged into those of v2, which it answers.',
    criteriaInAnswer: true,
    parameters: legacy,
    example: {
      request: { agefrom: 30, ageto: 45, lookingfor: 'Male' },
      answer: { age: { from: 30, to: 45 }, lookingfor: 'Male' },
    },
  },
};
