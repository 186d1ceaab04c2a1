import { invalidArgument, notFound } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import { optional, unchecked } from '@covalence/contract/parameters';
import { endpoint } from '@covalence/http/endpoint';
import { conflict, retryOnConflict } from '@covalence/runtime/retry-on-conflict';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Parameters } from '../criteria/parse-forms.ts';
import { criterionCodes } from '../criteria/parse-search.ts';
import { readSearcher, type Searcher } from '../criteria/searcher.ts';
import { without } from '../criteria/stored-criteria.ts';
import { exclusionKinds, type Viewer } from '../criteria/relations.ts';
import { controlParameters } from '../searches/control-parameters.ts';
import { runSearch } from '../searches/run-search.ts';
import { searchOutput } from '../searches/search-output.ts';
import { searchCodes } from '../searches/search.ts';
import { checkShown } from '../searches/shown-answers.ts';
import { mostAlerts, notifyChoices } from './alert-choice.ts';
import { alertBasisOf } from './alert-basis.ts';
import { checkName, checkSaved } from './check-saved.ts';
import {
  defaultControls,
  runControls,
  savableControls,
  savedControls,
  sentControls,
} from './saved-controls.ts';
import type { SavedContent, SavedSearch } from './saved-search-store.ts';
import type { SavedContext } from './saved.ts';

const { page, explain, platform } = controlParameters;

const criteriaCodes = [...criterionCodes, failCodes.ageMissing, failCodes.placeCriteriaConflict];

const name = unchecked({
  type: 'string',
  minLength: 1,
  maxLength: 32,
  description: 'The name, unique among the member’s.',
});

const notify = optional(z.enum(notifyChoices)).meta({
  type: 'string',
  enum: [...notifyChoices],
  description: `When to notify about members who newly match all criteria; at most ${mostAlerts} searches of a member notify. Default: never.`,
});

const body = { name, notify, ...savableControls, ...runControls };

/** The criteria of a body: every parameter that is not the name, the id or a control parameter. */
const criteriaOf = (input: Parameters): Parameters => without(input, [...Object.keys(body), 'id']);

const byId = { id: z.string().meta({ description: 'The saved search.' }) };

const sample = {
  id: '9b2c1f8e-54a4-4f0b-8f0e-3a8d2f6c7b11',
  name: 'Near and mine',
  notify: 'daily' as const,
  age: { from: 30, to: 45 },
  location: { within: 150 },
};
const { id: sampleId, ...sampleContent } = sample;

/** A saved search as clients see it: the parameters of POST with its id. */
const savedOutput = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    notify: z.enum(['live', 'daily']).optional(),
    ...savedControls.shape,
    exclude: z.array(z.enum([...exclusionKinds, 'none'])).optional(),
  })
  .meta({ id: 'SavedSearch', 'x-criteria': 'given' });

/** Renders a saved search; an empty `exclude` reads `none`, as it was sent. */
const rendered = ({
  id,
  name,
  notify,
  criteria,
  controls: { exclude, ...rest },
}: Omit<SavedSearch, 'revision'>) => ({
  id,
  name,
  ...(notify !== 'never' && { notify }),
  ...criteria,
  ...rest,
  ...(exclude && { exclude: exclude.length ? exclude : ['none' as const] }),
});

/** The content to store, with what its alert depends on. */
const withBasis = async (content: SavedContent, viewer: Viewer, context: SavedContext) => ({
  ...content,
  ...(content.notify !== 'never' && { alert: await alertBasisOf(viewer, content.criteria, context) }),
});

async function required(member: number, id: string, { saved }: SavedContext): Promise<SavedSearch> {
  const found = await saved.searches.find(member, id);
  if (!found) throw notFound();
  return found;
}

/** GET /searches/saved: lists the member's saved searches. */
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
  handler: async ({ caller }, { saved }: SavedContext) => ({
    searches: (await saved.searches.list(caller.id)).map(rendered),
  }),
});

/** POST /searches/saved: stores a search (20222–20225, and the codes of its criteria). */
export const createSaved = endpoint({
  access: 'member',
  tag: 'Search',
  operationId: 'saveSearch',
  summary: 'Save a search',
  description:
    'Stores a name and a search. A member has at most 100; one more is 403 without code, and so is a sixth with `notify`. An `id` is refused (20224).',
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
  handler: async ({ input, caller }, context: SavedContext) => {
    const { searches } = context.saved;
    const [{ viewer, searcher }, others] = await Promise.all([
      readSearcher(caller.id, context),
      searches.list(caller.id),
    ]);
    checkShown(input.fields ?? [], viewer.member.siteid, context);
    const name = checkName(input.name);
    const { criteria, failcodes } = checkSaved(criteriaOf(input), {}, searcher);
    const isTaken = others.some((other) => other.name === name);
    const refused = [
      ...(typeof name === 'number' ? [name] : []),
      ...(isTaken ? [failCodes.searchNameTaken] : []),
      ...(input.id === undefined ? [] : [failCodes.searchIdGiven]),
      ...failcodes,
    ];
    if (typeof name === 'number' || refused.length) throw invalidArgument(...refused);
    const content = { name, criteria, controls: sentControls(input), notify: input.notify ?? 'never' };
    const id = randomUUID();
    const stored = await withBasis(content, viewer, context);
    if (!(await searches.create(caller.id, id, stored))) throw invalidArgument();
    return rendered({ id, ...content });
  },
});

/** GET /searches/saved/{id}: returns one of the member's own, or 404. */
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
  handler: async ({ input, caller }, context: SavedContext) =>
    rendered(await required(caller.id, input.id, context)),
});

const updateInput = z.looseObject({ ...body, ...byId }).meta({ 'x-criteria': 'merged' });

/** Merges a call into a saved search; throws the failure codes of the result. */
function changedSearch(
  stored: SavedSearch,
  input: z.output<typeof updateInput>,
  searcher: Searcher,
): SavedContent {
  const name = input.name === undefined ? stored.name : checkName(input.name);
  const { criteria, failcodes } = checkSaved(criteriaOf(input), stored.criteria, searcher);
  if (typeof name === 'number') throw invalidArgument(name, ...failcodes);
  if (failcodes.length) throw invalidArgument(...failcodes);
  const controls = { ...stored.controls, ...sentControls(input) };
  return { name, criteria, controls, notify: input.notify ?? stored.notify };
}

/** POST /searches/saved/{id}: merges parameters into a saved search; null removes a criterion. */
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
  handler: ({ input, caller }, context: SavedContext) =>
    retryOnConflict('a saved search', async () => {
      const stored = await required(caller.id, input.id, context);
      const { viewer, searcher } = await readSearcher(caller.id, context);
      checkShown(input.fields ?? [], viewer.member.siteid, context);
      const content = changedSearch(stored, input, searcher);
      const changed = await withBasis(content, viewer, context);
      const replaced = await context.saved.searches.replace(caller.id, stored, changed);
      if (replaced === 'changed') return conflict;
      if (replaced === 'tooMany') throw invalidArgument();
      return rendered({ id: stored.id, ...content });
    }),
});

/** DELETE /searches/saved/{id}: deletes one of the member's own, or 404. */
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
  handler: async ({ input, caller }, { saved }: SavedContext) => {
    if (!(await saved.searches.remove(caller.id, input.id))) throw notFound();
    return {};
  },
});

/** POST /searches/saved/{id}/run: runs a saved search; control parameters of the call override the stored ones. */
export const runSaved = endpoint({
  access: 'member',
  tag: 'Search',
  operationId: 'runSavedSearch',
  summary: 'Run a saved search',
  description:
    'Searches as POST /searches does. Control parameters of the call override the saved ones; criteria in the call are 403 without code.',
  answer: 'A page of results.',
  example: { request: { id: sampleId, page: 1 } },
  // Criteria of the call would be ignored, so they are refused (403 without code).
  input: z.strictObject({ ...byId, ...savableControls, page, explain, platform }),
  output: searchOutput,
  codes: searchCodes,
  handler: async ({ input, caller }, context: SavedContext) => {
    const { criteria, controls } = await required(caller.id, input.id, context);
    const { page, explain, fields } = input;
    const stored = { parameters: criteria, fieldsAreSaved: fields === undefined };
    const chosen = { ...defaultControls, ...controls, ...sentControls(input) };
    return runSearch({ member: caller.id, ...stored, page, explain, ...chosen }, context);
  },
});
