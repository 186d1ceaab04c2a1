import { createHash } from 'node:crypto';
import { v7 } from 'uuid';
import type { ModerationContext } from '../moderation.ts';
import type { Member } from '../../members/document/member.ts';
import { reviewedTexts } from '../../members/checks/check-texts.ts';
import type { Evidence } from '../evidence.ts';
import { heldFrom } from '../../members/document/decision.ts';

/** Messages between the two that a report keeps. */
const messagesKept = 50;

const photosOf = ({ photos }: Member): Evidence['photos'] =>
  photos
    .filter(({ status }) => status !== 'deleted')
    .map((photo) => ({
      ...heldFrom(photo),
      status: photo.status,
      ...(photo.private !== undefined && { private: photo.private }),
    }));

async function messagesOf({ messages }: ModerationContext, reporter: number, reported: number) {
  const last = await messages.store.between(reporter, reported, messagesKept);
  return last.toReversed().map(({ from, text, at }) => ({
    by: from === reporter ? ('reporter' as const) : ('reported' as const),
    text,
    at,
  }));
}

/** Stores the reported member's texts and photos as they are now, and the last messages between the two. */
export async function keepEvidence(
  context: ModerationContext,
  reported: Member,
  reporter: number,
  reason: string | undefined,
): Promise<void> {
  const content = {
    texts: reviewedTexts(reported),
    pending: { ...reported.pending },
    photos: photosOf(reported),
    messages: await messagesOf(context, reporter, reported._id),
  };
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('base64url');
  const who = { reported: reported._id, reporter, ...(reason !== undefined && { reason }) };
  await context.moderation.evidence.add({ id: v7(), ...who, at: context.clock(), ...content, digest });
}
