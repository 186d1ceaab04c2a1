import { deleteReasons } from '@covalence/contract/catalogue/delete-reasons';
import { labelIn, labelLocaleOf } from '@covalence/contract/catalogue/labels';
import { z } from 'zod';
import { siteOf, type MembersContext } from './members.ts';
import { localeOf } from './document/member-values.ts';
import { memberEndpoint } from './member-endpoint.ts';
import { localeParameter } from './questions.ts';

const reason = z
  .strictObject({
    reason_id: z.int().meta({ examples: [1] }),
    label: z.string().meta({ examples: ['I met someone here'] }),
  })
  .meta({ id: 'DeleteReason' });

/** GET /reasons/profile/delete */
export const listDeleteReasons = memberEndpoint({
  tag: 'Members',
  operationId: 'listDeleteReasons',
  summary: 'List the reasons for leaving',
  description: 'One of them may be sent as `reason_id` with `deactivated`, or with DELETE /members/self.',
  answer: 'The reasons in the language asked for.',
  input: z.object({ locale: localeParameter }),
  output: z
    .strictObject({ locale: z.string().meta({ examples: ['en_US'] }), reasons: z.array(reason) })
    .meta({ id: 'DeleteReasonList' }),
  etag: true,
  handler: async ({ input, member }, context: MembersContext) => {
    const locale = labelLocaleOf(input.locale ?? localeOf(member, siteOf(context, member.siteid)));
    const reasons = deleteReasons.map(({ code, labels }) => ({
      reason_id: code,
      label: labelIn(labels, locale),
    }));
    return { locale, reasons };
  },
});
