import { createBackoff } from '@covalence/client/backoff';
import { createUpdateOrder, type LiveUpdate } from '@covalence/client/update-order';
import { WebSocket } from 'ws';

/** The live updates of a member over all of its sockets. */
export type Follower = ReturnType<typeof createFollower>;

/** Time limit for `ready`, as an app would have. */
const readyLimitMs = 15_000;

/** Follows raw frames, unlike the client package, which would hide duplicates. */
export function createFollower(base: string, token: () => string) {
  const address = new URL('/ws/updates', base.replace(/^http/, 'ws'));
  const backoff = createBackoff(200, 2_000);
  const order = createUpdateOrder();
  const told: LiveUpdate[] = [];
  const ids = new Set<string>();
  const doubled: string[] = [];
  const state = { resets: 0, isReady: false };
  let socket: WebSocket | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;

  const take = (update: LiveUpdate) => {
    if (update.type === 'ready') {
      state.isReady = true;
      clearTimeout(timer);
      backoff.reset();
    } else if (ids.has(update.id)) doubled.push(update.id);
    for (const one of order.take(update)) {
      if (one.type === 'reset') state.resets += 1;
      else {
        ids.add(one.id);
        told.push(one);
      }
    }
  };

  const open = (): void => {
    const opened = new WebSocket(address, { handshakeTimeout: readyLimitMs });
    socket = opened;
    const after = order.lastId;
    order.begin();
    timer = setTimeout(() => opened.terminate(), readyLimitMs);
    opened.on('open', () => {
      opened.send(token());
      if (after !== undefined) opened.send(JSON.stringify({ type: 'resume', after }));
    });
    opened.on('message', (data: Buffer) => {
      if (!isOver) take(JSON.parse(data.toString('utf8')) as LiveUpdate);
    });
    // `close` follows.
    opened.on('error', () => undefined);
    opened.on('close', () => {
      state.isReady = false;
      clearTimeout(timer);
      if (!isOver) timer = setTimeout(open, backoff.next());
    });
  };
  open();

  return {
    /** Frames in order, each received one once. */
    told,
    /** Ids of frames that were received twice. */
    doubled,
    /** Number of notifications of a gap. */
    get resets() {
      return state.resets;
    },
    get isReady() {
      return state.isReady;
    },
    close() {
      isOver = true;
      clearTimeout(timer);
      socket?.terminate();
    },
  };
}
