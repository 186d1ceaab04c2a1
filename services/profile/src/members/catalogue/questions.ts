import { invalidArgument } from '@covalence/contract/failure';
import { wholeNumber } from '@covalence/contract/parameters';
import type { Site } from '@covalence/contract/sites';
import { endpoint, type Caller } from '@covalence/http/endpoint';
import { z } from 'zod';
import { type MembersContext, siteOf } from '../members.ts';
import { localeOf } from '../document/member-values.ts';
import { activeMember } from '../member-endpoint.ts';
import { localeParameter, questionList, questionListSchema } from './question-list.ts';

const input = z.object({ locale: localeParameter, siteid: wholeNumber.optional() });

type Reader = { readonly site: Site; readonly locale: string };

/** A member reads for their own site and in their own locale; before registration the client names the site. */
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

/**
 * GET /questions: every field with its possible values, without those that the site rejects. For a
 * member by token, or before registration for the site of `siteid`; `locale` overrides the reader's own.
 */
export const listQuestions = endpoint({
  access: 'optional',
  summary: 'Fields and their possible values',
  input,
  output: questionListSchema,
  etag: true,
  handler: async ({ input, caller }, context: MembersContext) => {
    const { site, locale } = await readerOf(context, caller, input.siteid);
    return questionList(site, input.locale ?? locale);
  },
});
