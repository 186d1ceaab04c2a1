import type { StoreOptions } from '../members/store/member-store.ts';
import type { PairsContext } from '../pairs/pairs.ts';
import { createMessageStore, type MessageStore } from './message-store.ts';
import { createThreadStore, type ThreadStore } from './thread-store.ts';

/** What operations on messages work with. */
export interface Messages {
  readonly store: MessageStore;
  readonly threads: ThreadStore;
}

/** What operations on messages receive. */
export interface MessagesContext extends PairsContext {
  readonly messages: Messages;
}

/** Creates the stores of messages and threads. */
export function createMessages(options: StoreOptions): Messages {
  return { store: createMessageStore(options), threads: createThreadStore(options.connection) };
}
