import type { Background } from '@covalence/runtime/lifecycle';
import { startConsumers } from './consumers.ts';
import type { Context } from './context.ts';
import { watchPresence } from './presence/watch-presence.ts';

/** Starts the consumers and the presence job. */
export function startBackground(context: Context): Background {
  const running = [startConsumers(context), watchPresence(context)];
  return {
    async close() {
      // The consumers forward events, and must not wait for a broker that does not confirm them.
      context.publisher.closeSoon();
      await Promise.all(running.map((each) => each.close()));
    },
  };
}
