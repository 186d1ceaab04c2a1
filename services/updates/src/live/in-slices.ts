import { setImmediate as turn } from 'node:timers/promises';

/** Items per turn of the event loop: about 5 ms of sending. */
export const perTurn = 250;

/** Does quick work on many items without blocking the event loop. */
export async function inSlices<Item>(items: Iterable<Item>, work: (item: Item) => void): Promise<void> {
  let done = 0;
  for (const item of items) {
    if (done > 0 && done % perTurn === 0) await turn();
    work(item);
    done += 1;
  }
}
