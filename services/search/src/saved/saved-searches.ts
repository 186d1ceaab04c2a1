import { unchecked } from '@covalence/contract/parameters';
import { invalidArgument, notFound } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import { endpoint } from '@covalence/http/endpoint';
import { conflict, retryOnConflict } from '@covalence/runtime/retry-on-conflict';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { SearchContext } from '../context.ts';
import type { Parameters, Searcher } from '../criteria/parse-forms.ts';
import { storedCodes } from './match-criteria.ts';
import { readSearcher } from '../criteria/searcher.ts';
import { runSearch } from '../searches/run-search.ts';
import { controlParameters } from '../searches/control-parameters.ts';
import { checkShown } from '../searches/shown-answers.ts';
import { searchOutput } from '../searches/search-output.ts';
import { searchCodes } from '../searches/search.ts';
import { checkName, checkSaved } from './check-saved.ts';
import { changedControls, defaultControls, savableControls, runControls } from './saved-controls.ts';
import { renderSaved, savedOutput } from './saved-output.ts';
import type { SavedContent, SavedSearch } from './saved-search-store.ts';

const { page, explain, platform } = controlParameters;

/** Searches that one member may keep. */
const mostSaved = 100;

const criteriaCodes = [...storedCodes, failCodes.ageMissing, failCodes.placeCriteriaConflict];

const name = unchecked({
  type: 'string',
  minLength: 1,
  maxLength: 32,
  description: 'The name, unique among the member’s.',
});

const body = { name, ...savableControls, ...runControls };

/** The criteria of a body: what is neither its name nor a control parameter. */
const criteriaOf = (given: Parameters): Parameters =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !Object.hasOwn(body, name) && name !== 'id'));

const byId = { id: z.string().meta({ description: 'The saved search.' }) };

const sample = {
  id: '9b2c1f8e-54a4-4f0b-8f0e-3a8d2f6c7b11',
  name: 'Near and mine',
  age: { from: 30, to: 45 },
  location: { within: 150 },
};
const { id: sampleId, ...sampleContent } = sample;

async function required(member: number, id: string, { saved }: SearchContext): Promise<SavedSearch> {
  const found = await saved.find(member, id);
  if (!found) throw notFound();
  return found;
}

/** GET /searches/saved: the member's saved searches by name. */
export const listSaved = endpoint({
  access: 'member',
  tag: 'Search',
  operationId: 'listSavedSearches',
  summary: 'List the saved searches',
  description: 'Ordered by name.',
  answer: 'The saved searches of the member.',
  input: z.object({}),
  output: z
    .object({ searches: z.array(savedOutput).meta({ examples: [[sample]] }) })
    .meta({ id: 'SavedSearchList' }),
  handler: async ({ caller }, { saved }: SearchContext) => ({
    searches: (await saved.list(caller.id)).map(renderSaved),
  }),
});

/** POST /searches/saved: keeps a name and a search (20222–20225, and the codes of its criteria). */
export const createSaved = endpoint({
  access: 'member',
  tag: 'Search',
  operationId: 'saveSearch',
  summary: 'Save a search',
  description:
    'Stores a name and a search. A member has at most 100; one more is 403 without code. An `id` is refused (20224).',
  answer: 'The saved search.',
  example: { request: sampleContent, answer: sample },
  input: z
    .looseObject({ ...body, name: name.meta({ 'x-required': true }), id: unchecked({ 'x-hidden': true }) })
    .meta({ 'x-criteria': 'given' }),
  output: savedOutput,
  codes: [
    failCodes.searchNameMissing,
    failCodes.searchNameLength,
    failCodes.searchIdGiven,
    failCodes.searchNameTaken,
    ...criteriaCodes,
  ],
  handler: async ({ input, caller }, context: SearchContext) => {
    const { name, id: given, pagesize, sortby, exclude, fields } = input;
    const [{ viewer, searcher }, others] = await Promise.all([
      readSearcher(caller.id, context),
      context.saved.list(caller.id),
    ]);
    checkShown(fields ?? [], viewer.member.siteid, context);
    const checked = checkName(name);
    const { criteria, failcodes } = checkSaved(criteriaOf(input), {}, searcher);
    const refused = [...(given === undefined ? [] : [failCodes.searchIdGiven]), ...failcodes];
    if (typeof checked === 'number') throw invalidArgument(checked, ...refused);
    if (others.some((other) => other.name === checked))
      throw invalidArgument(failCodes.searchNameTaken, ...refused);
    if (refused.length) throw invalidArgument(...refused);
    const controls = changedControls({}, { pagesize, sortby, exclude, fields });
    const content = { name: checked, criteria, controls };
    const id = randomUUID();
    // Looked at afterwards: each of several at once would have seen room before.
    if (!(await context.saved.create(caller.id, id, content, mostSaved))) throw invalidArgument();
    return renderSaved({ id, ...content });
  },
});

/** GET /searches/saved/{id}: one of the member's own; 404 where there is none. */
export const readSaved = endpoint({
  access: 'member',
  tag: 'Search',
  operationId: 'getSavedSearch',
  summary: 'Get a saved search',
  description: 'One of the member’s own searches.',
  answer: 'The saved search.',
  example: { request: { id: sampleId }, answer: sample },
  input: z.object(byId),
  output: savedOutput,
  handler: async ({ input, caller }, context: SearchContext) =>
    renderSaved(await required(caller.id, input.id, context)),
});

const updateInput = z.looseObject({ ...body, ...byId }).meta({ 'x-criteria': 'merged' });

/** A saved search with what a call names merged into it; throws the codes of what is wrong with that. */
function changedSearch(
  kept: SavedSearch,
  input: z.output<typeof updateInput>,
  searcher: Searcher,
): SavedContent {
  const { name, pagesize, sortby, exclude, fields } = input;
  const checked = name === undefined ? kept.name : checkName(name);
  const { criteria, failcodes } = checkSaved(criteriaOf(input), kept.criteria, searcher);
  if (typeof checked === 'number') throw invalidArgument(checked, ...failcodes);
  if (failcodes.length) throw invalidArgument(...failcodes);
  const controls = changedControls(kept.controls, { pagesize, sortby, exclude, fields });
  return { name: checked, criteria, controls };
}

/** POST /searches/saved/{id}: what is named is merged into it, null removes a criterion; the rest stays. */
export const updateSaved = endpoint({
  access: 'member',
  tag: 'Search',
  operationId: 'updateSavedSearch',
  summary: 'Update a saved search',
  description: 'Merges what is sent into the saved search; null removes a criterion.',
  answer: 'The saved search after the change.',
  example: { request: { id: sampleId, name: 'Near and mine' }, answer: sample },
  input: updateInput,
  output: savedOutput,
  codes: [
    failCodes.searchNameMissing,
    failCodes.searchNameLength,
    failCodes.searchNameTaken,
    ...criteriaCodes,
  ],
  handler: ({ input, caller }, context: SearchContext) =>
    retryOnConflict('a saved search', async () => {
      const kept = await required(caller.id, input.id, context);
      const { viewer, searcher } = await readSearcher(caller.id, context);
      checkShown(input.fields ?? [], viewer.member.siteid, context);
      const content = changedSearch(kept, input, searcher);
      if (!(await context.saved.replace(caller.id, kept, content))) return conflict;
      return renderSaved({ id: kept.id, ...content });
    }),
});

/** DELETE /searches/saved/{id}: 404 where there is none. */
export const deleteSaved = endpoint({
  access: 'member',
  tag: 'Search',
  operationId: 'deleteSavedSearch',
  summary: 'Delete a saved search',
  description: 'The search is gone when the call is answered.',
  answer: 'The search is deleted.',
  example: { request: { id: sampleId } },
  input: z.object(byId),
  output: z.object({}),
  handler: async ({ input, caller }, { saved }: SearchContext) => {
    if (!(await saved.remove(caller.id, input.id))) throw notFound();
    return {};
  },
});

/** POST /searches/saved/{id}/run: runs it as POST /searches would; control parameters given now go before those kept. */
export const runSaved = endpoint({
  access: 'member',
  tag: 'Search',
  operationId: 'runSavedSearch',
  summary: 'Run a saved search',
  description:
    'Searches as POST /searches does. Control parameters of the call override the saved ones; criteria in the call are 403 without code.',
  answer: 'A page of results.',
  example: { request: { id: sampleId, page: 1 } },
  // Criteria belong into the saved search: given here they would be ignored, so they are refused (403 without code).
  input: z.strictObject({ ...byId, ...savableControls, page, explain, platform }),
  output: searchOutput,
  codes: searchCodes,
  handler: async ({ input, caller }, context: SearchContext) => {
    const { criteria, controls } = await required(caller.id, input.id, context);
    const { page, explain, pagesize, sortby, exclude, fields } = input;
    const asked = { ...defaultControls, ...changedControls(controls, { pagesize, sortby, exclude, fields }) };
    const kept = { parameters: criteria, fieldsAreSaved: fields === undefined };
    return runSearch({ member: caller.id, ...kept, page, explain, ...asked }, context);
  },
});
