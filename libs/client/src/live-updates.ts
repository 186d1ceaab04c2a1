import { createBackoff } from './backoff.ts';
import { serverTime } from './device-key.ts';
import { SignedOut, type Session } from './session.ts';
import type { Tokens } from './tokens.ts';
import { createUpdateOrder, type LiveUpdate } from './update-order.ts';

export type { LiveUpdate };

/** Why live updates have stopped. */
export type EndReason = 'closed' | 'signed-out' | 'deactivated';

/** Settings of live updates. */
export interface LiveUpdateOptions {
  /** The base URL of the API. */
  readonly baseUrl: string;
  readonly session: Session;
  /** Id of the last frame that the app processed: the frames after it are delivered first. */
  readonly after?: string;
  /** Receives every frame once and in order; after a reset one may be repeated. */
  readonly onUpdate: (update: LiveUpdate) => void;
  /** Missed frames are not available any more: fetch the data again. */
  readonly onReset?: () => void;
  /** The socket is ready, or was lost and is reconnecting. */
  readonly onConnected?: (isConnected: boolean) => void;
  /** Live updates have stopped and do not reconnect. */
  readonly onEnd?: (reason: EndReason) => void;
  /** Delays between attempts, in milliseconds. */
  readonly firstPause?: number;
  readonly longestPause?: number;
  /** Time before its expiry at which the token is renewed on the open socket, in milliseconds. */
  readonly renewBefore?: number;
  /**
   * A socket without an answer for this many milliseconds after its opening or a probe is closed. It is
   * probed after fifteen times as long without a message.
   */
  readonly answerWithin?: number;
}

/** Live updates until `close`. */
export interface LiveUpdates {
  /** Id of the last frame: `after` of the next session. */
  readonly lastId: string | undefined;
  close(): void;
}

/** Close codes with a meaning for clients, and that of a connection that was lost (RFC 6455, 7.1.5). */
const closeCodes = { badToken: 4401, deactivated: 4403, ended: 1006 } as const;

/** Silence after which a connection is probed, as a multiple of `answerWithin`. */
const silences = 15;

/**
 * Detects a dead connection, because browsers do not expose the server's pings: `probe` sends something that is answered, `giveUp`
 * is called when nothing arrives within `answerWithin` milliseconds.
 */
function watchSilence(
  answerWithin: number,
  { probe, giveUp }: { readonly probe: () => void; readonly giveUp: () => void },
) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (work: () => void, milliseconds: number) => {
    clearTimeout(timer);
    timer = setTimeout(work, milliseconds);
  };
  const expect = () => wait(giveUp, answerWithin);
  const probeAgain = () => {
    probe();
    expect();
  };
  return {
    /** Starts the wait for an answer; without one in time the connection is given up. */
    expect,
    /** Something was received: the next probe follows a long silence. */
    heard: () => wait(probeAgain, answerWithin * silences),
    stop: () => clearTimeout(timer),
  };
}

/**
 * Follows the member's live updates: authenticates, renews the token on the open socket, and after a lost connection
 * reconnects with growing, random delays and resumes.
 */
export function followLiveUpdates(options: LiveUpdateOptions): LiveUpdates {
  const { baseUrl, session, onUpdate, onReset, onConnected, onEnd } = options;
  const { renewBefore = 60_000, answerWithin = 20_000 } = options;
  const backoff = createBackoff(options.firstPause, options.longestPause);
  // A string, because React Native's WebSocket accepts nothing else.
  const address = new URL('/ws/updates', baseUrl.replace(/^http/, 'ws')).href;
  const order = createUpdateOrder(options.after);
  let socket: WebSocket | undefined;
  /** The tokens that were sent last. */
  let shown: Tokens | undefined;
  let isReady = false;
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let renewal: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof watchSilence> | undefined;

  const connected = (now: boolean) => {
    if (now === isReady) return;
    isReady = now;
    onConnected?.(now);
  };

  const end = (reason: EndReason) => {
    if (isOver) return;
    isOver = true;
    forget();
    clearTimeout(timer);
    clearTimeout(renewal);
    silence?.stop();
    socket?.close();
    connected(false);
    onEnd?.(reason);
  };

  /** When the server is down, the close of the socket reconnects. */
  const renew = (accessToken: string): Promise<void> =>
    session.refresh(accessToken).then(show, (error: unknown) => {
      if (error instanceof SignedOut) end('signed-out');
    });

  const renewInTime = ({ access_token, expires_at }: Tokens) => {
    clearTimeout(renewal);
    const left = Math.max(0, expires_at - Date.now() - renewBefore);
    renewal = setTimeout(() => void renew(access_token), left);
  };

  /** The message that shows tokens; that of a bound one has a proof of its key. */
  const messageOf = async (tokens: Tokens): Promise<string> => {
    const { access_token: accessToken } = tokens;
    if (!session.deviceKey) return accessToken;
    const call = { method: 'GET', url: address.replace(/^ws/, 'http'), accessToken, at: serverTime(tokens) };
    return JSON.stringify({ type: 'token', token: accessToken, dpop: await session.deviceKey.prove(call) });
  };

  /** Tokens that another page refreshed are only known as the result of `refresh`. */
  const show = async (tokens: Tokens, isProbe = false): Promise<void> => {
    const current = socket;
    const isKnown = tokens.access_token === shown?.access_token && !isProbe;
    if (isOver || current?.readyState !== WebSocket.OPEN || isKnown) return;
    shown = tokens;
    try {
      const message = await messageOf(tokens);
      if (current.readyState === WebSocket.OPEN) current.send(message);
      renewInTime(tokens);
    } catch {
      // Without a proof: the close tries again.
      current.close();
    }
  };

  const begun = async (tokens: Tokens, after: string | undefined, opened: WebSocket): Promise<void> => {
    await show(tokens);
    if (after !== undefined) opened.send(JSON.stringify({ type: 'resume', after }));
  };

  const forget = session.onChange((tokens) => (tokens ? void show(tokens) : end('signed-out')));

  /** When the app throws for one frame, the next is delivered all the same. */
  const deliver = ([first, ...rest]: readonly LiveUpdate[]) => {
    if (!first || isOver) return;
    try {
      if (first.type === 'reset') onReset?.();
      else onUpdate(first);
    } finally {
      deliver(rest);
    }
  };

  const receive = (update: LiveUpdate) => {
    const updates = order.take(update);
    if (update.type === 'ready') {
      backoff.reset();
      connected(true);
    }
    deliver(updates);
  };

  /** The app's token storage may fail temporarily, too. */
  const begin = () => void open().catch(again);

  const again = () => {
    if (!isOver) timer = setTimeout(begin, backoff.next());
  };

  /** The app is notified last: its errors must not prevent the reconnect. */
  const lost = (code: number, accessToken: string) => {
    clearTimeout(renewal);
    silence?.stop();
    if (isOver) return;
    if (code === closeCodes.deactivated) return end('deactivated');
    if (code === closeCodes.badToken) void renew(accessToken).then(again);
    else again();
    connected(false);
  };

  const open = async (): Promise<void> => {
    const tokens = await session.tokens();
    if (isOver) return;
    if (!tokens) return end('signed-out');
    const opened = new WebSocket(address);
    const after = order.lastId;
    socket = opened;
    shown = undefined;
    order.begin();
    const leave = (code: number) => {
      if (socket !== opened) return;
      socket = undefined;
      lost(code, tokens.access_token);
    };
    silence = watchSilence(answerWithin, {
      // A repeated token is answered with `ready`.
      probe: () => shown && void show(shown, true),
      giveUp() {
        opened.close();
        // A dead connection may never report its close.
        leave(closeCodes.ended);
      },
    });
    silence.expect();
    opened.addEventListener('open', () => {
      void begun(tokens, after, opened);
    });
    opened.addEventListener('message', ({ data }) => {
      if (isOver || socket !== opened) return;
      silence?.heard();
      receive(JSON.parse(String(data)) as LiveUpdate);
    });
    opened.addEventListener('close', ({ code }) => leave(code));
  };

  begin();
  return {
    get lastId() {
      return order.lastId;
    },
    close: () => end('closed'),
  };
}
