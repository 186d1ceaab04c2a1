import { createBackoff } from './backoff.ts';
import { SignedOut, type Session } from './session.ts';
import { watchSilence, type Silence } from './silence.ts';
import type { Tokens } from './tokens.ts';
import { createUpdateOrder, type LiveUpdate } from './update-order.ts';

export type { LiveUpdate };

/** Why live updates ended for good. */
export type EndReason = 'closed' | 'signed-out' | 'deactivated';

/** How live updates are followed. */
export interface LiveUpdateOptions {
  /** {base_url}: the API's address. */
  readonly baseUrl: string;
  readonly session: Session;
  /** Id of the last frame that the app worked off before it was closed: what came since is told first. */
  readonly after?: string;
  /** Every frame once and in order; behind a reset one may come again. */
  readonly onUpdate: (update: LiveUpdate) => void;
  /** Something was missed that cannot be told: fetch anew. */
  readonly onReset?: () => void;
  /** The socket is ready, or was lost and is being opened again. */
  readonly onConnected?: (isConnected: boolean) => void;
  /** It is over and will not come back by itself. */
  readonly onEnd?: (reason: EndReason) => void;
  /** Pauses between tries, in milliseconds. */
  readonly firstPause?: number;
  readonly longestPause?: number;
  /** The token is renewed on the open socket so many milliseconds before it ends. */
  readonly renewBefore?: number;
  /**
   * A socket that brings nothing for so many milliseconds after it was opened or asked is left. Asked is one that was silent
   * for fifteen times as long.
   */
  readonly answerWithin?: number;
}

/** Live updates that come until `close`. */
export interface LiveUpdates {
  /** Id of the last frame; `after` of the next time. */
  readonly lastId: string | undefined;
  close(): void;
}

/** Close codes of the socket that mean something to a client, and the one of a socket that just ended (RFC 6455, 7.1.5). */
const closeCodes = { badToken: 4401, deactivated: 4403, ended: 1006 } as const;

/**
 * Follows the member's live updates: proves who it is, renews the token on the open socket, and after a loss
 * comes back with a growing, random pause and asks for what it missed.
 */
export function followLiveUpdates(options: LiveUpdateOptions): LiveUpdates {
  const { baseUrl, session, onUpdate, onReset, onConnected, onEnd } = options;
  const { renewBefore = 60_000, answerWithin = 20_000 } = options;
  const backoff = createBackoff(options.firstPause, options.longestPause);
  // A text, because React Native's socket takes nothing else.
  const address = new URL('/ws/updates', baseUrl.replace(/^http/, 'ws')).href;
  const order = createUpdateOrder(options.after);
  let socket: WebSocket | undefined;
  /** The access token that the socket was shown last. */
  let shown: string | undefined;
  let isReady = false;
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let renewal: ReturnType<typeof setTimeout> | undefined;
  let silence: Silence | undefined;

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

  /** Where the server is away the socket's own end begins anew. */
  const renew = (accessToken: string): Promise<void> =>
    session.refresh(accessToken).then(show, (error: unknown) => {
      if (error instanceof SignedOut) end('signed-out');
    });

  const renewInTime = ({ access_token, expires_at }: Tokens) => {
    clearTimeout(renewal);
    const left = Math.max(0, expires_at - Date.now() - renewBefore);
    renewal = setTimeout(() => void renew(access_token), left);
  };

  /** Tokens that another page refreshed come as the answer to `refresh` alone. */
  const show = (tokens: Tokens) => {
    if (isOver || socket?.readyState !== WebSocket.OPEN || tokens.access_token === shown) return;
    shown = tokens.access_token;
    socket.send(shown);
    renewInTime(tokens);
  };

  const forget = session.onChange((tokens) => (tokens ? show(tokens) : end('signed-out')));

  /** Where the app throws at one, the next is told all the same. */
  const tell = ([first, ...rest]: readonly LiveUpdate[]) => {
    if (!first || isOver) return;
    try {
      if (first.type === 'reset') onReset?.();
      else onUpdate(first);
    } finally {
      tell(rest);
    }
  };

  const receive = (update: LiveUpdate) => {
    const updates = order.take(update);
    if (update.type === 'ready') {
      backoff.reset();
      connected(true);
    }
    tell(updates);
  };

  /** What the app keeps its tokens in may fail for a moment, too. */
  const begin = () => void open().catch(again);

  const again = () => {
    if (!isOver) timer = setTimeout(begin, backoff.next());
  };

  /** The app is told last: what it throws must not keep the next socket from being opened. */
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
      // A token that is shown again is answered with `ready`.
      ask: () => opened.readyState === WebSocket.OPEN && shown !== undefined && opened.send(shown),
      giveUp() {
        opened.close();
        // Its end may never be told.
        leave(closeCodes.ended);
      },
    });
    silence.expect();
    opened.addEventListener('open', () => {
      show(tokens);
      if (after !== undefined) opened.send(JSON.stringify({ type: 'resume', after }));
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
