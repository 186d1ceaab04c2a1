import { answerDays, appealDays } from '@covalence/contract/internal/appeals-api';
import { z } from 'zod';
import { sealedLink } from './links.ts';

/** Links to the page that appeals one decision on a member, who may be unable to sign in. The decision takes one appeal only. */
export const appealLink = sealedLink({
  purpose: 'appeal',
  route: '/appeal/:token',
  // The answer can be read after the last day of the appeal.
  days: appealDays + answerDays,
  schema: z.object({
    member_id: z.string(),
    decision_id: z.string(),
    /** Locale of the mail. */
    locale: z.string(),
  }),
});
