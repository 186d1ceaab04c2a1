import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { listenLocally } from '@covalence/testing/listen-locally';
import { until } from '@covalence/testing/until';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { WebSocketServer, type WebSocket as ServerSocket } from 'ws';
import {
  followLiveUpdates,
  type LiveUpdate,
  type LiveUpdateOptions,
  type LiveUpdates,
} from '../src/live-updates.ts';
import type { Session } from '../src/session.ts';
import type { Tokens } from '../src/tokens.ts';

const tokensNumber = (number: number, seconds = 1800): Tokens => ({
  access_token: `access-${number}`,
  refresh_token: `refresh-${number}`,
  expires_at: Date.now() + seconds * 1000,
});

/** A session with numbered tokens; `refresh` calls no server. */
function testSession(seconds = 1800) {
  let tokens: Tokens | undefined = tokensNumber(1, seconds);
  let count = 1;
  const listeners = new Set<(tokens: Tokens | undefined) => void>();
  const keep = (next: Tokens | undefined) => {
    tokens = next;
    for (const listener of listeners) listener(next);
  };
  /** Another page with the same storage refreshes; this page is not notified. */
  const refreshElsewhere = () => (tokens = tokensNumber((count += 1)));
  const session: Session = {
    tokens: () => Promise.resolve(tokens),
    exchange: () => Promise.reject(new Error('not here')),
    refresh: (used) => {
      if (tokens && tokens.access_token !== used) return Promise.resolve(tokens);
      count += 1;
      const next = tokensNumber(count);
      keep(next);
      return Promise.resolve(next);
    },
    signOut: () => Promise.resolve(keep(undefined)),
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return { session, listeners, refreshElsewhere };
}

const send = (socket: ServerSocket, id: string, type = 'like') =>
  socket.send(JSON.stringify({ id, type, at: new Date().toISOString(), data: {} }));

const isAskedTwice = ({ heard }: { readonly heard: readonly string[] }) =>
  heard.filter((one) => one === 'access-1').length === 3;

const resumeAfter = (id: string) => JSON.stringify({ type: 'resume', after: id });

describe('live updates', () => {
  let server: WebSocketServer;
  let baseUrl: string;
  let sockets: { readonly socket: ServerSocket; readonly heard: string[] }[];
  let following: LiveUpdates | undefined;
  let told: string[];

  beforeEach(async () => {
    [sockets, told, following] = [[], [], undefined];
    server = new WebSocketServer({ port: 0, host: '127.0.0.1', path: '/ws/updates' });
    server.on('connection', (socket) => {
      const heard: string[] = [];
      sockets.push({ socket, heard });
      socket.on('message', (data: Buffer) => heard.push(data.toString('utf8')));
    });
    await new Promise<void>((resolve) => void server.once('listening', resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    following?.close();
    for (const { socket } of sockets) socket.terminate();
    server.close();
  });

  const follow = (session: Session, options: Partial<LiveUpdateOptions> = {}) => {
    following = followLiveUpdates({
      baseUrl,
      session,
      firstPause: 5,
      longestPause: 20,
      onUpdate: ({ id }) => told.push(id),
      onReset: () => told.push('reset'),
      onEnd: (reason) => told.push(reason),
      ...options,
    });
    return following;
  };

  const socketNumber = (number: number) =>
    until(`socket ${number} and its token`, () => {
      const found = sockets[number - 1];
      return found?.heard.length ? found : undefined;
    });

  const toldThat = (ids: string[]) =>
    until(`${ids.join()} to be told`, () => (told.join() === ids.join() ? true : undefined));

  it('sends the token first, and after a loss the token and its position', async () => {
    const { session } = testSession();
    follow(session);
    const first = await socketNumber(1);
    expect(first.heard).toEqual(['access-1']);
    send(first.socket, 'a-1', 'ready');
    send(first.socket, 'a-2');
    await toldThat(['a-2']);
    first.socket.close(1001);

    const second = await socketNumber(2);
    await until('the resume', () => (second.heard.length === 2 ? true : undefined));
    expect(second.heard).toEqual(['access-1', resumeAfter('a-2')]);
    send(second.socket, 'a-4', 'ready');
    send(second.socket, 'a-5');
    send(second.socket, 'a-3');
    send(second.socket, 'a-4');
    await toldThat(['a-2', 'a-3', 'a-4', 'a-5']);
    expect(following?.lastId).toBe('a-5');
  });

  it('opens the socket with a string, which React Native requires', async () => {
    const addresses: unknown[] = [];
    const standard = WebSocket;
    globalThis.WebSocket = class extends standard {
      constructor(address: string | URL) {
        super(address);
        addresses.push(address);
      }
    };
    follow(testSession().session);
    await socketNumber(1);
    globalThis.WebSocket = standard;
    expect(addresses).toEqual([`${baseUrl.replace('http', 'ws')}/ws/updates`]);
  });

  it('delivers nothing after the app has closed it', async () => {
    const { session } = testSession();
    const onUpdate = ({ id }: LiveUpdate) => {
      told.push(id);
      following?.close();
    };
    follow(session, { after: 'a-2', onUpdate });
    const { socket } = await socketNumber(1);
    for (const [id, type] of [['a-4', 'ready'], ['a-5'], ['a-4'], ['a-6']] as const) send(socket, id, type);
    await until('the socket to be closed', () => server.clients.size === 0 || undefined);
    expect(told).toEqual(['a-4', 'closed']);
  });

  it('reconnects after a cut without a close frame, and reports a reset', async () => {
    const { session } = testSession();
    follow(session, { after: 'a-9' });
    const first = await socketNumber(1);
    first.socket.terminate();
    const second = await socketNumber(2);
    send(second.socket, 'b-1', 'ready');
    send(second.socket, 'b-1', 'reset');
    send(second.socket, 'b-2');
    await toldThat(['reset', 'b-2']);
    expect(following?.lastId).toBe('b-2');
  });

  it('reconnects when the token storage fails temporarily', async () => {
    const { session } = testSession();
    let failures = 0;
    const tokens = () => (failures-- > 0 ? Promise.reject(new Error('locked')) : session.tokens());
    follow({ ...session, tokens });
    const first = await socketNumber(1);
    failures = 2;
    first.socket.close(1001);
    expect((await socketNumber(2)).heard).toEqual(['access-1']);
  });

  it('probes a silent socket with its token, and closes it without an answer in time', async () => {
    const { session } = testSession();
    const connected: boolean[] = [];
    /** Each socket answers two tokens, then is silent without closing. */
    server.on('connection', (socket) => {
      let answers = 2;
      socket.on('message', (data: Buffer) => {
        if (data.toString('utf8') !== 'access-1' || (answers -= 1) < 0) return;
        send(socket, 'a-1', 'ready');
        send(socket, 'a-2');
      });
    });
    follow(session, { answerWithin: 50, onConnected: (isConnected) => connected.push(isConnected) });
    const left = await until('a socket that was asked twice', () => sockets.find(isAskedTwice));
    await until('the next one', () => sockets.at(-1) !== left || undefined);
    await until('it to be ready', () => connected.join().endsWith('true,false,true') || undefined);
    send(left.socket, 'a-3');
    const { socket = left.socket, heard = [] } = sockets.at(-1) ?? {};
    send(socket, 'a-4');
    await toldThat(['a-2', 'a-4']);
    expect(heard).toContain(resumeAfter('a-2'));
  });

  it('closes a socket that does not open', async () => {
    const { session } = testSession();
    const deaf = createServer();
    const baseUrl = `http://127.0.0.1:${await listenLocally(deaf)}`;
    const sockets: Socket[] = [];
    deaf.on('connection', (socket) => sockets.push(socket));
    follow(session, { answerWithin: 40, baseUrl });
    await until('another try', () => sockets.length > 1 || undefined);
    following?.close();
    expect(told).toEqual(['closed']);
    for (const socket of sockets) socket.destroy();
    deaf.close();
  });

  it('refreshes on 4401 before it reconnects', async () => {
    const { session } = testSession();
    follow(session);
    const first = await socketNumber(1);
    first.socket.close(4401);
    const second = await socketNumber(2);
    expect(second.heard[0]).toBe('access-2');
  });

  it('renews the token on the open socket before it expires, and sends tokens that others refreshed', async () => {
    const { session } = testSession(1);
    follow(session, { renewBefore: 900 });
    const { socket, heard } = await socketNumber(1);
    send(socket, 'a-1', 'ready');
    await until('the renewed token', () => heard.includes('access-2') || undefined);
    await session.refresh('access-2');
    await until('the token of others', () => heard.includes('access-3') || undefined);
    expect(sockets).toHaveLength(1);
  });

  it('sends a token that another page refreshed', async () => {
    const { session, refreshElsewhere } = testSession(1);
    follow(session, { renewBefore: 700 });
    const { socket, heard } = await socketNumber(1);
    send(socket, 'a-1', 'ready');
    refreshElsewhere();
    await until('the token of the other page', () => heard.includes('access-2') || undefined);
    expect([heard.length, sockets.length]).toEqual([2, 1]);
  });

  it('sends a token that is refreshed before the socket is ready', async () => {
    const { session } = testSession();
    follow(session);
    const { heard } = await socketNumber(1);
    await session.refresh('access-1');
    await until('the fresh token', () => heard.includes('access-2') || undefined);
    expect(sockets).toHaveLength(1);
  });

  it.each([
    ['deactivated', (socket: ServerSocket) => socket.close(4403)],
    ['signed-out', (_socket: ServerSocket, session: Session) => void session.signOut()],
    ['closed', () => following?.close()],
  ] as const)('ends for good: %s', async (reason, happen) => {
    const { session, listeners } = testSession();
    follow(session);
    const { socket } = await socketNumber(1);
    send(socket, 'a-1', 'ready');
    happen(socket, session);
    await toldThat([reason]);
    expect(listeners.size).toBe(0);
    await until('the socket to be closed', () => server.clients.size === 0 || undefined);
    expect(sockets).toHaveLength(1);
  });
});
