import { platform } from '@covalence/contract/parameters';
import { invalidArgument } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { SearchContext } from '../context.ts';
import { parseStoredChange, storedCriteria } from '../criteria/stored-criteria.ts';
import { readSearcher } from '../criteria/searcher.ts';

/** Codes of criteria that are stored; 31012 and 31013 are of searches only. */
export const storedCodes = [
  failCodes.criterionNotMap,
  failCodes.criterionWithoutValue,
  failCodes.rangeInvalid,
  failCodes.ageOutOfRange,
  failCodes.locationInvalid,
  failCodes.withinForPlatinumOnly,
  failCodes.criterionForPlatinumOnly,
  failCodes.criterionValueInvalid,
  failCodes.criterionCountryInvalid,
  failCodes.criterionZipInvalid,
] as const;

/** GET /members/self/criteria: the My Match criteria by name, each in the form that a search takes. */
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
  handler: async ({ caller }, { matchCriteria }: SearchContext) =>
    (await matchCriteria.read(caller.id)).criteria,
});

/** POST /members/self/criteria: what is named is merged into what is stored, null removes. */
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
  codes: storedCodes,
  handler: async ({ input, caller }, context: SearchContext) => {
    const { platform: _platform, ...parameters } = input;
    const [kept, { searcher }] = await Promise.all([
      context.matchCriteria.read(caller.id),
      readSearcher(caller.id, context),
    ]);
    const change = parseStoredChange(parameters, kept.criteria, searcher);
    if (change.failcodes.length) throw invalidArgument(...change.failcodes);
    return (await context.matchCriteria.merge(caller.id, change)).criteria;
  },
});
