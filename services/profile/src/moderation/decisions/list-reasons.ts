import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { ModerationContext } from '../moderation.ts';
import { reasonSchema } from '../saved-reasons.ts';

const shownText = z.string().meta({ examples: ['It has contact data.'] });

const shownReason = reasonSchema
  .extend({
    texts: z
      .strictObject({
        en: shownText,
        de: shownText,
        el: shownText,
        es: shownText,
        fr: shownText,
        tr: shownText,
      })
      .meta({ id: 'StaffReasonTexts' }),
  })
  .meta({ id: 'StaffReason' });

/** GET /staff/reasons */
export const listReasons = endpoint({
  access: 'staff',
  staff: { roles: ['moderator'], site: 'several' },
  operationId: 'listStaffReasons',
  summary: 'List the saved reasons',
  description:
    'Reasons for approvals and rejections in six languages. A decision with `reason_id` keeps the text in the language of the member.',
  answer: 'The reasons.',
  input: z.object({}),
  output: z.object({ reasons: z.array(shownReason) }).meta({ id: 'StaffReasons' }),
  handler: (_call, { moderation }: ModerationContext) =>
    Promise.resolve({ reasons: [...moderation.savedReasons] }),
});
