import type { Peer } from '@covalence/http/peer';
import { z } from 'zod';
import type { StoreOptions } from '../members/store/outbox-of.ts';
import type { PairsContext } from '../pairs/pairs.ts';
import { createMessageStore, type Message } from './message-store.ts';
import { createThreadStore } from './thread-store.ts';

/** Dependencies of the message operations. */
export interface MessagesContext extends PairsContext {
  readonly messages: ReturnType<typeof createMessages>;
  readonly search: Peer<'search'>;
}

/** Creates the stores of messages and threads. */
export function createMessages(options: StoreOptions) {
  return { store: createMessageStore(options), threads: createThreadStore(options.connection) };
}

/** A message as an answer. */
export const messageView = z
  .object({
    id: z.uuid(),
    profileid: z.int().meta({ examples: [1002] }),
    sent: z.boolean().meta({ examples: [true] }),
    text: z.string().meta({ examples: ['Shall we walk on Sunday?'] }),
    at: z.iso.datetime(),
    read_at: z.iso.datetime().nullable(),
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
