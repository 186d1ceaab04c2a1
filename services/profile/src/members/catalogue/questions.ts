import { invalidArgument } from '@covalence/contract/failure';
import { documented, wholeNumber } from '@covalence/contract/parameters';
import type { Site } from '@covalence/contract/sites';
import { endpoint, type Caller } from '@covalence/http/endpoint';
import { z } from 'zod';
import { siteOf, type MembersContext } from '../members.ts';
import { localeOf } from '../document/member-values.ts';
import { activeMember } from '../member-endpoint.ts';
import { localeParameter, questionList, questionListSchema } from './question-list.ts';

const input = z.object({ locale: localeParameter, siteid: wholeNumber.optional().meta(documented.siteid) });

type Reader = { readonly site: Site; readonly locale: string };

/** The site and locale of a member; before registration the client sends the site. */
async function readerOf(
  context: MembersContext,
  caller: Caller | undefined,
  siteid?: number,
): Promise<Reader> {
  if (caller) {
    const member = await activeMember(context, caller);
    const site = siteOf(context, member.siteid);
    return { site, locale: localeOf(member, site) };
  }
  const site = siteid === undefined ? undefined : context.sites.get(siteid);
  if (!site) throw invalidArgument();
  return { site, locale: site.locale };
}

/** GET /questions */
export const listQuestions = endpoint({
  access: 'optional',
  tag: 'Members',
  operationId: 'listQuestions',
  summary: 'List the fields and their possible values',
  description:
    'Every field that a site accepts. A member reads the fields of their own site; before registration `siteid` names the site (403 without code where it is missing or unknown).',
  answer: 'The fields in the language asked for.',
  example: {
    request: { siteid: 1 },
    answer: {
      siteid: 1,
      locale: 'en_US',
      questions: [
        {
          name: 'smoking',
          group: 'basic',
          type: 'choice',
          label: 'Smoking',
          operations: ['register', 'update'],
          required: false,
          moderated: false,
          values: [{ value: 10, label: 'Never' }],
        },
      ],
    },
  },
  input,
  output: questionListSchema,
  etag: true,
  handler: async ({ input, caller }, context: MembersContext) => {
    const { site, locale } = await readerOf(context, caller, input.siteid);
    return questionList(site, input.locale ?? locale);
  },
});
