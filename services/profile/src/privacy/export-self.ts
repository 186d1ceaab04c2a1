import {
  exportAccount,
  exportBilling,
  exportSearch,
  exportUpdates,
} from '@covalence/contract/peers/privacy-api';
import { ownRecordSchema } from '@covalence/contract/member-record';
import { projectionSchema } from '@covalence/contract/search-projection';
import { recentSignInSeconds } from '@covalence/contract/recent-sign-in';
import { z } from 'zod';
import type { MemberRecord } from '../members/members.ts';
import type { PrivacyContext } from './privacy.ts';
import type { Member } from '../members/document/member.ts';
import { withoutSuspicion } from '../members/document/account-status.ts';
import { memberEndpoint } from '../members/member-endpoint.ts';
import { projectionOf } from '../record/projection.ts';
import { ownRecord } from '../record/records.ts';
import {
  moderationOf,
  moderationSection,
  photosOf,
  photosSection,
  profileOf,
  profileSection,
  pushDevicesOf,
  pushDevicesSection,
} from './archive-profile.ts';
import { relationSections, relationsOf } from './archive-relations.ts';

const record: z.ZodType<MemberRecord> = ownRecordSchema;

/** Partial, because the index keeps only the id of a hidden member. */
const index: z.ZodType<Record<string, unknown> | null> = z
  .looseObject({
    ...projectionSchema.partial().omit({ version: true, deleted: true, recorded: true, was_hidden: true })
      .shape,
    zodiac: z.string().nullish(),
    platinum_day: z.string().nullish(),
    keywords: z.array(z.string()).optional(),
    traits: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'The answers that are searched, by field.' }),
  })
  .nullable();

/** The parts of the other services. The export is 503 while one of them is down, because it must be complete. */
async function exportsOfOthers(context: PrivacyContext, member: Member) {
  const subject = { member_id: member.member_id, id: member._id };
  const { services } = context.privacy;
  const as_known = projectionOf(withoutSuspicion(member), context);
  const [auth, billing, search, updates] = await Promise.all([
    services.auth.exportMember(subject),
    services.billing.exportMember(subject),
    services.search.exportMember({ ...subject, as_known }),
    services.updates.exportMember(subject),
  ]);
  return { ...auth, ...search, ...billing, ...updates };
}

/** GET /members/self/export */
export const exportSelf = memberEndpoint({
  recentSignIn: recentSignInSeconds,
  tag: 'Members',
  operationId: 'exportMember',
  summary: 'Export your own data',
  description:
    'Needs a sign-in at most 10 minutes old. The archive holds everything that any service stores about the caller, and of other members only what the caller could see; it is complete, or the call is 503. Exports are limited by the hour (429).',
  answer: 'The archive.',
  input: z.object({}),
  output: z
    .object({
      exported_at: z.iso.datetime(),
      id: z.int(),
      member_id: z.uuid(),
      record,
      profile: profileSection,
      photos: photosSection,
      ...relationSections,
      moderation: moderationSection,
      ...exportAccount.output.shape,
      ...exportSearch.output.shape,
      index,
      ...exportBilling.output.shape,
      ...exportUpdates.output.shape,
      push_subscriptions: pushDevicesSection,
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
