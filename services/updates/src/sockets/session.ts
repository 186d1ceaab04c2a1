import { Failure } from '@covalence/contract/failure';
import type { Caller } from '@covalence/http/endpoint';
import type { LockoutReason, Listener } from '../live/channel-store.ts';
import { Feed } from '../live/feed.ts';
import { frameOf, parseFrameId, type Position } from '../live/position.ts';
import { parseClientMessage } from './client-message.ts';
import { lockoutCloseReasons, type CloseReason, type Connection } from './connection.ts';
import type { SocketToken } from './registry.ts';
import type { SocketsContext } from './sockets.ts';

function socketTokenOf({ id, memberId, family, clientId, issued, expires }: Caller): SocketToken {
  return { id, memberId, family, clientId, issued, expires };
}

/** The burst of messages that a client may send, and the time in which it may send one more. */
const maxBurst = 16;
const msPerMessage = 1_000;

const closeReasonOf = (error: unknown): CloseReason =>
  error instanceof Failure && error.status === 401 ? 'badToken' : 'tryAgain';

/**
 * The protocol on one socket. The first message is an access token, answered with `ready`; later ones renew the token or resume.
 * Closes 4408 without a token in time, 4401 on an invalid one, 4403 for a deactivated member, and 1013 when it cannot be served now.
 * A class, and its own channel listener, because each socket has one.
 */
export class Session implements Listener {
  readonly #connection: Connection;
  readonly #context: SocketsContext;
  #known: SocketToken | undefined;
  #feed: Feed | undefined;
  /** The token was valid and `ready` is sent. */
  #isOpen = false;
  #waiting = 0;
  /** When the client's budget of messages is full again. */
  #busyUntil = 0;
  #work: Promise<void> | undefined;

  constructor(connection: Connection, context: SocketsContext) {
    this.#connection = connection;
    this.#context = context;
    connection.closeAt(context.live.clock().getTime() + context.config.TOKEN_WAIT_MS, 'noToken');
  }

  /** Handles a message of the client, one after the other. */
  receive(text: string): void {
    const now = this.#context.live.clock().getTime();
    this.#busyUntil = Math.max(this.#busyUntil, now) + msPerMessage;
    if (this.#busyUntil > now + maxBurst * msPerMessage) return this.#connection.close('tryAgain');
    this.#waiting += 1;
    this.#work = this.#workOn(this.#work, text);
  }

  /** Leaves the member's channel; the connection is closed. */
  end(): void {
    this.#feed?.stop();
    void this.#leave();
  }

  onMessage(at: Position, frame: Buffer): void {
    this.#feed?.offer(at, frame);
  }

  onEphemeral(tag: string, payload: string): void {
    this.#feed?.sendEphemeral(tag, payload);
  }

  /** A late event does not concern a later sign-in. */
  onLockout(reason: LockoutReason, issuedBy: number): void {
    if (this.#known && this.#known.issued <= issuedBy) this.#connection.close(lockoutCloseReasons[reason]);
  }

  onFamilyEnded(family: string): void {
    if (family === this.#known?.family) this.#connection.close('badToken');
  }

  onDisconnect(): void {
    this.#feed?.pause();
  }

  onReconnect(): void {
    void this.#feed?.catchUp();
    if (this.#known) void this.#closeIfLockedOutLater(this.#known);
  }

  /** Pending work may still join the channel, so it is left afterwards. */
  async #leave(): Promise<void> {
    await this.#work;
    this.#feed?.stop();
    if (!this.#known) return;
    const { live, sockets } = this.#context;
    await live.channels.leave(this.#known.id, this);
    const { lostAfter } = this.#connection;
    if (lostAfter) await sockets.onLost(this.#known.id, lostAfter);
  }

  async #workOn(before: Promise<void> | undefined, text: string): Promise<void> {
    await before;
    try {
      await this.#handle(text);
    } catch (error) {
      this.#refuse(error);
    }
    this.#waiting -= 1;
    // A stored promise would keep its predecessors in memory.
    if (!this.#waiting) this.#work = undefined;
  }

  async #handle(text: string): Promise<void> {
    if (this.#connection.closing) return;
    const message = parseClientMessage(text);
    if (message?.type === 'token') return this.#takeToken(message.token, message.dpop);
    if (!this.#isOpen) return this.#connection.close('badToken');
    if (message?.type === 'resume') await this.#feed?.resume(parseFrameId(message.after));
  }

  async #takeToken(token: string, proof: string | undefined): Promise<void> {
    const { bearer, sockets } = this.#context;
    const caller = await bearer.fromToken(token, proof === undefined ? 'Bearer' : 'DPoP');
    if (caller.key !== undefined) {
      const call = { method: 'GET', urls: [sockets.url], token, key: caller.key };
      const useProof = await sockets.proofs(proof, call);
      await useProof();
    }
    const next = socketTokenOf(caller);
    // Staff accounts have no updates.
    if (!next.id) return this.#connection.close('badToken');
    await (this.#isOpen && this.#known ? this.#renew(this.#known, next) : this.#open(next));
  }

  /**
   * The first valid token. Joins the channel before reading anything, so that nothing is missed; reads the head of the history
   * last, so that `ready` is the first frame.
   */
  async #open(next: SocketToken): Promise<void> {
    const { live, sockets } = this.#context;
    const connection = this.#connection;
    const member = next.id;
    if (!sockets.registry.claim(connection, next)) return connection.close('tryAgain');
    this.#known = next;
    this.#feed = new Feed(member, connection, live);
    await live.channels.join(member, this);
    await this.#closeIfLockedOut(next);
    // A refused member does not count as present.
    if (connection.closing) return;
    const { memberStates } = sockets;
    await Promise.all([memberStates.markSeen(member), memberStates.markPresent([member])]);
    const { head } = await live.history.readAfter(member);
    if (connection.closing) return;
    this.#isOpen = true;
    this.#closeWhenExpired(next);
    this.#feed.start(head);
    connection.follow(this.#feed, head);
    this.#ready(this.#feed);
  }

  /** A later token must be the same member's. */
  async #renew(known: SocketToken, next: SocketToken): Promise<void> {
    if (next.memberId !== known.memberId) return this.#connection.close('badToken');
    await this.#closeIfLockedOutLater(next);
    if (this.#connection.closing || !this.#feed) return;
    this.#known = next;
    this.#context.sockets.registry.renew(this.#connection, next);
    this.#closeWhenExpired(next);
    this.#ready(this.#feed);
  }

  #ready(feed: Feed): void {
    const body = { type: 'ready', at: this.#context.live.clock().toISOString(), data: {} };
    this.#connection.send(frameOf(feed.freshId(), JSON.stringify(body)));
  }

  #closeWhenExpired({ expires }: SocketToken): void {
    this.#connection.closeAt(expires * 1_000, 'badToken');
  }

  async #closeIfLockedOut(next: SocketToken): Promise<void> {
    const [admission = 'good'] = await Promise.all(this.#context.sockets.memberStates.admissionsOf([next]));
    if (admission !== 'good') this.#connection.close(lockoutCloseReasons[admission]);
  }

  /** For an open socket: when Redis is down, the next heartbeat checks again. */
  async #closeIfLockedOutLater(next: SocketToken): Promise<void> {
    try {
      await this.#closeIfLockedOut(next);
    } catch (error) {
      this.#context.live.logger.warn(
        { err: error },
        'admission flag not read, the next heartbeat checks again',
      );
    }
  }

  #refuse(error: unknown): void {
    const reason = closeReasonOf(error);
    if (reason === 'tryAgain')
      this.#context.live.logger.warn({ err: error }, 'socket closed, it cannot be served now');
    this.#connection.close(reason);
  }
}
