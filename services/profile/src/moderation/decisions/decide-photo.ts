import { notFound } from '@covalence/contract/failure';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { ModerationContext } from '../moderation.ts';
import { type Member, heldFrom } from '../../members/document/member.ts';
import { isUnreviewed } from '../../members/document/photos.ts';
import { ownPhoto, withStatus } from '../../photos/photo-list.ts';
import { numericId } from '../../members/members.ts';
import { decide, unlessMade, type Ruling } from '../decide.ts';
import { removeBansInput, matchesOf, unbansOf, removeUnbansOf } from './ban-member.ts';
import {
  whyOf,
  decisionIdShape,
  hasReason,
  holdTo,
  photoRevision,
  decisionInput,
  type DecisionDocument,
} from '../staff-call.ts';

type PhotoDecision = 'approved' | 'rejected';

const actions = { approved: 'approve-photo', rejected: 'reject-photo' } as const;

/** The ruling on a photo. Throws 404 where the photo is gone. */
function ruleOnPhoto(member: Member, id: number, decision: PhotoDecision): Ruling | undefined {
  const photo = member.photos.find((each) => each.id === id);
  if (!photo || photo.status === 'deleted' || member.deleted) throw notFound();
  if (photo.status === decision && !isUnreviewed(photo)) return undefined;
  const data = { subject: 'photo', decision, photo: id } as const;
  return {
    patch: { photos: withStatus(member.photos, id, decision) },
    entry: {
      action: actions[decision],
      photo: id,
      before: photo.status,
      after: decision,
      ...(decision === 'rejected' && { rejected: { photo: heldFrom(photo) } }),
    },
    // To its owner, a photo that was withheld seemed to be approved.
    ...(photo.status !== decision && { notification: { type: 'moderation.decided', data } }),
  };
}

/** The number and the owner of a photo. Throws 404 where there is none. */
async function ownerOf(given: string, { members }: ModerationContext) {
  const photoid = numericId(given);
  const owner = photoid === undefined ? undefined : await members.store.byPhoto(photoid);
  if (photoid === undefined || !owner) throw notFound();
  return { photoid, owner };
}

/** The owner of a photo in the audit log. */
export async function ownerIds(given: string, { members }: ModerationContext): Promise<readonly number[]> {
  const photoid = numericId(given);
  const owner = photoid === undefined ? undefined : await members.store.byPhoto(photoid);
  return owner ? [owner._id] : [];
}

const deciding = (decision: PhotoDecision, document: DecisionDocument) =>
  endpoint({
    access: 'staff',
    staff: {
      roles: ['moderator'],
      site: async ({ photoid }: { readonly photoid: string }, context: ModerationContext) =>
        (await ownerOf(photoid, context)).owner.siteid,
      about: ({ photoid }, context: ModerationContext) => ownerIds(photoid, context),
    },
    ...document,
    answer: 'Whether the call changed the photo.',
    example: { request: { photoid: '4711', reason: 'No person on it' } },
    statuses: [409],
    input: z
      .object({
        photoid: z
          .string()
          .meta({ type: 'integer', minimum: 0, 'x-types': ['integer', 'string'], description: 'The photo.' }),
        ...decisionInput,
        ...(decision === 'approved' && { remove_bans: removeBansInput }),
      })
      .refine((given) => decision === 'approved' || hasReason(given)),
    output: z
      .object({
        id: z.int().meta({ examples: [1002] }),
        photoid: z.int().meta({ examples: [4711] }),
        changed: z.boolean().meta({ examples: [true] }),
        ...decisionIdShape,
      })
      .meta({ id: 'PhotoDecision' }),
    handler: async ({ input, caller, sites }, context: ModerationContext) => {
      const { photoid, owner } = await ownerOf(input.photoid, context);
      const { revision } = input;
      const authority = { staff: caller, ...whyOf(input), kind: 'photo' as const, revision };
      const action = actions[decision];
      const made = { member: owner._id, staff: caller.memberId, action, photo: photoid, revision };
      const outcome = await unlessMade(context, made, () =>
        decide(context, owner._id, authority, async (current) => {
          holdTo(revision, photoRevision(current, photoid));
          const ruling = ruleOnPhoto(current, photoid, decision);
          const matched = input.remove_bans ? (ownPhoto(current, photoid) ?? {}) : {};
          const unbans = unbansOf(await matchesOf(context, matched, sites));
          return ruling && { ...ruling, entry: { ...ruling.entry, ...unbans } };
        }),
      );
      // Also where nothing changed, because an earlier call may have failed before this step.
      if (input.remove_bans) await removeUnbansOf(context, owner._id);
      return { id: owner._id, photoid, changed: outcome.changed, decision_id: outcome.decision };
    },
  });

/** POST /staff/photos/{photoid}/approve */
export const approvePhoto = deciding('approved', {
  operationId: 'approvePhoto',
  summary: 'Approve a photo',
  description: 'Other members see the photo; the first approved one becomes primary.',
});
/** POST /staff/photos/{photoid}/reject */
export const rejectPhoto = deciding('rejected', {
  operationId: 'rejectPhoto',
  summary: 'Reject a photo',
  description: 'Nobody sees the photo any more; it is kept for a later approval.',
});
