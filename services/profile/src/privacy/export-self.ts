import { z } from 'zod';
import { recentSignInSeconds, type PrivacyContext } from './privacy.ts';
import type { Member } from '../members/document/member.ts';
import { memberEndpoint } from '../members/member-endpoint.ts';
import { ownRecord } from '../record/records.ts';
import { moderationOf, photosOf, profileOf, pushDevicesOf } from './archive-profile.ts';
import { relationsOf } from './archive-relations.ts';

const section = z.looseObject({});
const list = z.array(section);

/** The parts of the other services. The export is 503 while one of them is down, because it must be complete. */
async function exportsOfOthers({ privacy }: PrivacyContext, { member_id, _id: id }: Member) {
  const subject = { member_id, id };
  const { services } = privacy;
  const [auth, billing, search, updates] = await Promise.all([
    services.auth.exportMember(subject),
    services.billing.exportMember(subject),
    services.search.exportMember(subject),
    services.updates.exportMember(subject),
  ]);
  return { ...auth, ...search, ...billing, ...updates };
}

/** GET /members/self/export */
export const exportSelf = memberEndpoint({
  recentSignIn: recentSignInSeconds,
  tag: 'Members',
  operationId: 'exportMember',
  summary: 'Export the own data',
  description:
    'Needs a sign-in at most 10 minutes old. The archive holds everything that any service stores about the caller, and of other members only what the caller could see; it is complete, or the call is 503. Exports are limited by the hour (429).',
  answer: 'The archive.',
  input: z.object({}),
  output: z
    .object({
      exported_at: z.iso.datetime(),
      id: z.int(),
      member_id: z.uuid(),
      record: section,
      profile: section,
      photos: list,
      relations: list,
      views: section,
      messages: list,
      moderation: section,
      account: section.nullable(),
      sign_ins: list,
      browser_sessions: list,
      saved_searches: list,
      match_criteria: section,
      origins: list,
      index: section.nullable(),
      membership: section.nullable(),
      payments: list,
      ledger: list,
      promo_codes: list,
      live_updates: list,
      push_subscriptions: list,
    })
    .meta({ id: 'MemberExport' }),
  handler: async ({ member }, context: PrivacyContext) => {
    await context.privacy.exports.count(member._id);
    const others = await exportsOfOthers(context, member);
    const [record, relations, moderation, profile] = await Promise.all([
      ownRecord(context, member, others.account ?? { email: '' }),
      relationsOf(context, member),
      moderationOf(context, member),
      profileOf(context, member),
    ]);
    return {
      exported_at: context.clock().toISOString(),
      id: member._id,
      member_id: member.member_id,
      record,
      profile,
      push_subscriptions: pushDevicesOf(member),
      photos: photosOf(context, member),
      ...relations,
      moderation,
      ...others,
    };
  },
});
