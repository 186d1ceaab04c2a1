import { photoStatuses } from '@covalence/contract/record';
import { orNotFound } from '@covalence/contract/failure';
import { wholeNumber } from '@covalence/contract/parameters';
import { endpoint } from '@covalence/http/endpoint';
import { v7 } from 'uuid';
import { z } from 'zod';
import type { ModerationContext } from '../moderation.ts';
import { openMember } from '../open-member.ts';
import { reportCategories, reportKey } from '../store/report-store.ts';
import { pageOf } from '../../members/page.ts';
import { findMember } from '../../members/members.ts';
import type { Evidence, EvidencePhoto } from '../store/evidence-store.ts';
import {
  entryMembers,
  numberOf,
  photoView,
  photoViewSchema,
  staffPageInput,
  textsByField,
} from '../staff-call.ts';
import { logDecision } from '../decide.ts';

const head = ({ id, at, reported, reporter, category, reason }: Evidence) => ({
  evidence_id: id,
  at: at.toISOString(),
  id: reported,
  // Nothing is left of an erased reporter.
  report_id: reporter === undefined ? null : reportKey(reported, reporter),
  reporter: reporter ?? null,
  category: category ?? null,
  reason: reason ?? '',
});

const headSchema = {
  evidence_id: z.uuid(),
  at: z.iso.datetime(),
  id: z.int().meta({ examples: [1002] }),
  report_id: z
    .string()
    .nullable()
    .meta({ examples: ['1002:1001'] }),
  reporter: z
    .int()
    .nullable()
    .meta({ examples: [1001] }),
  category: z.enum(reportCategories).nullable(),
  reason: z.string().meta({ examples: ['Asks for money'] }),
};

const evidencePhotoSchema = photoViewSchema
  .extend({ private: z.boolean(), status: z.enum(photoStatuses) })
  .meta({ id: 'StaffEvidencePhoto' });

const evidencePhoto = (photo: EvidencePhoto, context: ModerationContext) => ({
  ...photoView(photo, context),
  private: photo.private ?? false,
  status: photo.status,
});

/** The site of a reported member; undefined when the member was erased. */
const siteOfMember = async (
  { id }: { readonly id: string },
  context: ModerationContext,
): Promise<number | undefined> => (await findMember(context, id))?.siteid;

/** GET /staff/members/{id}/evidence */
export const listEvidence = endpoint({
  access: 'staff',
  staff: { roles: ['moderator'], site: siteOfMember },
  operationId: 'listStaffEvidence',
  summary: 'List the evidence on a member',
  description:
    'What reports keep of a member, newest first, without its content; by number also of a member who was erased since. A report that is filed again keeps more, up to ten times in 24 hours and a hundred times in all. Counts as GET /staff/members/{id} does (429).',
  answer: 'A page of evidence.',
  example: { request: { id: '1002' } },
  input: staffPageInput.extend({
    reporter: wholeNumber.pipe(z.int().positive()).optional().meta({
      type: 'integer',
      minimum: 1,
      description: 'Only what the report of this member keeps.',
    }),
  }),
  output: z
    .object({
      id: z.int(),
      entries: z.array(
        z.object({ ...headSchema, photos: z.int(), messages: z.int() }).meta({ id: 'StaffEvidenceEntry' }),
      ),
      next: z.uuid().nullable(),
    })
    .meta({ id: 'StaffEvidenceList' }),
  handler: async (
    { input: { id: asked, cursor, pagesize: size, reporter }, caller },
    context: ModerationContext,
  ) => {
    const id = await numberOf(context, asked);
    await openMember(context, id, caller.memberId);
    const found = await context.moderation.evidence.about(id, size + 1, { before: cursor, reporter });
    const { entries, next } = pageOf(found, size, (entry) => entry.id);
    const shown = entries.map((entry) => ({
      ...head(entry),
      photos: entry.photos.length,
      messages: entry.messages.length,
    }));
    return { id, entries: shown, next };
  },
});

const evidenceOf = async (id: string, { moderation }: ModerationContext): Promise<Evidence> =>
  orNotFound(await moderation.evidence.find(id));

/** GET /staff/evidence/{evidenceid} */
export const showEvidence = endpoint({
  access: 'staff',
  staff: {
    roles: ['moderator'],
    site: async ({ evidenceid }: { readonly evidenceid: string }, context: ModerationContext) => {
      const { reported } = await evidenceOf(evidenceid, context);
      return siteOfMember({ id: String(reported) }, context);
    },
    about: async ({ evidenceid }, context: ModerationContext) => {
      const { reported, reporter } = await evidenceOf(evidenceid, context);
      return entryMembers([{ id: reported, reporter }]);
    },
  },
  operationId: 'getStaffEvidence',
  summary: 'Get the evidence of a report',
  description:
    'Texts, photos and the last messages between reporter and reported as they were when the report was filed. `texts` are those that others could read, `pending` those that waited for review. Each access is recorded in the history of the member. Counts as GET /staff/members/{id} does (429).',
  answer: 'The evidence.',
  example: { request: { evidenceid: '019a3f20-0b1c-7d41-9d0f-5b1f5c1e8a77' } },
  input: z.object({ evidenceid: z.uuid().toLowerCase().meta({ description: 'The evidence.' }) }),
  output: z
    .object({
      ...headSchema,
      texts: textsByField,
      pending: z.record(z.string(), z.string()),
      photos: z.array(evidencePhotoSchema).meta({ examples: [[]] }),
      messages: z.array(
        z.object({ by: z.enum(['reporter', 'reported']), text: z.string(), at: z.iso.datetime() }),
      ),
    })
    .meta({ id: 'StaffEvidence' }),
  handler: async ({ input: { evidenceid }, caller }, context: ModerationContext) => {
    const found = await evidenceOf(evidenceid, context);
    await openMember(context, found.reported, caller.memberId);
    const access = { id: v7(), member: found.reported, staff: caller.memberId, at: context.clock() };
    await logDecision(context, { ...access, action: 'view-evidence', evidence: found.id });
    return {
      ...head(found),
      texts: found.texts,
      pending: found.pending,
      photos: found.photos.map((photo) => evidencePhoto(photo, context)),
      messages: found.messages.map(({ by, text, at }) => ({ by, text, at: at.toISOString() })),
    };
  },
});
