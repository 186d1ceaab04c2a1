import { criteria } from '@covalence/contract/catalogue/criteria';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { SearchContext } from '../context.ts';
import { isKnown } from './parse-search.ts';
import { readSearcher } from './searcher.ts';
import { questionOf, questionSchema } from './question.ts';

const group = z.array(questionSchema);

const sample: z.infer<typeof questionSchema> = {
  name: 'age',
  label: 'Age',
  form: 'range',
  accessible: true,
  from: 18,
  to: 120,
};

/**
 * GET /searches/questions: every criterion of the member's site in their language, as the groups basic
 * and platinum, and my-matches: those that can be stored, which is all of them.
 */
export const searchQuestions = endpoint({
  access: 'member',
  tag: 'Search',
  operationId: 'listCriteria',
  summary: 'List the search criteria',
  description:
    'Every criterion of the member’s site in their language: `basic`, `platinum`, and `my-matches`, those that can be stored.',
  answer: 'The criteria by group.',
  example: { answer: { basic: [sample], platinum: [], 'my-matches': [sample] } },
  input: z.object({}),
  output: z.object({ basic: group, platinum: group, 'my-matches': group }).meta({ id: 'CriterionList' }),
  handler: async ({ caller }, context: SearchContext) => {
    const { viewer, searcher } = await readSearcher(caller.id, context);
    const known = criteria.filter((criterion) => isKnown(criterion, searcher));
    const ofTier = (tiers: readonly string[]) =>
      known.filter(({ tier }) => tiers.includes(tier)).map((one) => questionOf(one, searcher, viewer.locale));
    return {
      basic: ofTier(['basic']),
      platinum: ofTier(['platinum']),
      'my-matches': ofTier(['basic', 'platinum']),
    };
  },
});
