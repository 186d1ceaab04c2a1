import { z } from 'zod';
import type { Message } from './message-store.ts';

/** A message as an answer. */
export const messageView = z
  .object({
    id: z.uuid(),
    /** The other member. */
    profileid: z.int().meta({ examples: [1002] }),
    /** True for the viewer's own messages. */
    sent: z.boolean().meta({ examples: [true] }),
    text: z.string().meta({ examples: ['Shall we walk on Sunday?'] }),
    at: z.iso.datetime(),
    /** When the receiver marked it as read. */
    read_at: z.iso.datetime().nullable(),
    /** The client id of the viewer's own message. */
    client_message_id: z
      .string()
      .nullable()
      .meta({ examples: ['m-1'] }),
  })
  .meta({ id: 'Message' });

/** A message as one of its two members sees it. */
export function viewOf(message: Message, viewer: number): z.infer<typeof messageView> {
  const sent = message.from === viewer;
  return {
    id: message.id,
    profileid: sent ? message.to : message.from,
    sent,
    text: message.text,
    at: message.at.toISOString(),
    read_at: message.read_at?.toISOString() ?? null,
    client_message_id: (sent && message.client_message_id) || null,
  };
}
