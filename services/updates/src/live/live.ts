import type { ChannelStore } from './channel-store.ts';
import type { FeedOptions } from './feed.ts';
import type { HistoryStore } from './history-store.ts';

/** Delivers notifications to sockets, through histories and channels. */
export interface LiveContext {
  readonly live: FeedOptions & { readonly channels: ChannelStore; readonly history: HistoryStore };
}
