import { invalidArgument } from '@covalence/contract/failure';
import { platform } from '@covalence/contract/parameters';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import { criterionCodes } from '../criteria/parse-search.ts';
import { readSearcher } from '../criteria/searcher.ts';
import { parseStoredChange, storedCriteria } from '../criteria/stored-criteria.ts';
import type { SavedContext } from './saved.ts';

/** GET /members/self/criteria: returns the My Match criteria. */
export const readMatchCriteria = endpoint({
  access: 'member',
  tag: 'Search',
  operationId: 'getMatchCriteria',
  summary: 'Get the match criteria',
  description: 'The My Match criteria by name, each in the form that a search takes.',
  answer: 'The match criteria.',
  example: { answer: { age: { from: 30, to: 45 }, smoking: { values: [10, 20] } } },
  input: z.object({}),
  output: storedCriteria,
  handler: async ({ caller }, { saved }: SavedContext) =>
    (await saved.matchCriteria.read(caller.id)).criteria,
});

/** POST /members/self/criteria: merges criteria into the stored ones; null removes one. */
export const updateMatchCriteria = endpoint({
  access: 'member',
  tag: 'Search',
  operationId: 'updateMatchCriteria',
  summary: 'Update the match criteria',
  description: 'Merges what is sent into the My Match criteria; null removes a criterion.',
  answer: 'The match criteria after the change.',
  example: {
    request: { smoking: { value: 10 } },
    answer: { age: { from: 30, to: 45 }, smoking: { value: 10 } },
  },
  input: z.looseObject({ platform }).meta({ 'x-criteria': 'merged' }),
  output: storedCriteria,
  codes: criterionCodes,
  handler: async ({ input, caller }, context: SavedContext) => {
    const { platform: _platform, ...parameters } = input;
    const { matchCriteria } = context.saved;
    const [{ criteria }, { searcher }] = await Promise.all([
      matchCriteria.read(caller.id),
      readSearcher(caller.id, context),
    ]);
    const change = parseStoredChange(parameters, criteria, searcher);
    if (change.failcodes.length) throw invalidArgument(...change.failcodes);
    return (await matchCriteria.merge(caller.id, change)).criteria;
  },
});
