import { Failure } from '@covalence/contract/failure';
import type { Caller } from '@covalence/http/endpoint';
import type { Context } from '../context.ts';
import type { Known } from './registry.ts';
import type { Listener } from '../live/channel-store.ts';
import { createFeed, type Feed } from '../live/feed.ts';
import { parseFrameId } from '../live/position.ts';
import { parseClientMessage } from './client-message.ts';
import { barReasons, type CloseReason, type Connection } from './connection.ts';

/** What a socket's owner says, from the first message to the end. */
export interface Session {
  /** Takes a message of the client; they are worked on one after the other. */
  receive(text: string): void;
  /** Ends timers and the member's channel; the connection is gone. */
  end(): void;
}

const knownOf = ({ id, memberId, family, clientId, issued, expires }: Caller): Known => ({
  id,
  memberId,
  family,
  clientId,
  issued,
  expires,
});

/** Messages that may wait while one is worked on. */
const mostWaiting = 16;

const closeReasonOf = (error: unknown): CloseReason =>
  error instanceof Failure && error.status === 401 ? 'badToken' : 'tryAgain';

/** A frame from its id and the JSON object that lacks it. */
const frame = (id: string, payload: string) => `{"id":${JSON.stringify(id)},${payload.slice(1)}`;

/**
 * The protocol of D41 on one connection: the first message is an access token, answered with `ready`; later ones renew the
 * token or resume. Closes 4408 without a token in time, 4401 on a bad, expired or ended one, 4403 for a deactivated member, and
 * 1013 where it cannot be served now.
 */
export function createSession(connection: Connection, context: Context): Session {
  const { config, bearer, channels, history, memberStates, registry, clock, logger } = context;
  let caller: Known | undefined;
  let joined: { member: number; feed: Feed; listener: Listener } | undefined;
  let waiting = 0;
  let work = Promise.resolve();
  let timer = setTimeout(() => connection.close('noToken'), config.TOKEN_WAIT_MS);

  const closeWhenExpired = ({ expires }: Known) => {
    clearTimeout(timer);
    const left = Math.max(0, expires * 1000 - clock().getTime());
    timer = setTimeout(() => connection.close('badToken'), left);
  };

  const refuseBarred = async (next: Known): Promise<void> => {
    const [admission = 'good'] = await memberStates.admissionsOf([next]);
    if (admission !== 'good') connection.close(barReasons[admission]);
  };
  /** For a socket that is open already: where Redis is away, the next heartbeat looks again. */
  const refuseBarredLater = (next: Known): Promise<void> =>
    refuseBarred(next).catch((error: unknown) => logger.warn({ err: error }, 'flag not read'));

  const listenerOf = (next: Known, feed: Feed): Listener => ({
    message: (at, payload) => feed.offer(at, payload),
    barred: (reason) => connection.close(barReasons[reason]),
    familyEnded: (family) => {
      if (family === (caller ?? next).family) connection.close('badToken');
    },
    gap: () => {
      void feed.catchUp();
      void refuseBarredLater(caller ?? next);
    },
  });

  const ready = (feed: Feed) =>
    connection.send(frame(feed.id, JSON.stringify({ type: 'ready', at: clock().toISOString(), data: {} })));

  /**
   * The first good token. The channel is joined before anything is read, so that nothing falls in between; the head of the
   * history comes last, so that `ready` is the first frame.
   */
  const open = async (next: Known): Promise<void> => {
    const member = next.id;
    if (!registry.claim(connection, next)) return connection.close('tryAgain');
    const feed = createFeed({
      read: (after) => history.readAfter(member, after),
      send: (id, payload) => connection.send(frame(id, payload)),
      now: clock,
      logger,
    });
    joined = { member, feed, listener: listenerOf(next, feed) };
    await channels.join(member, joined.listener);
    await refuseBarred(next);
    await Promise.all([memberStates.markSeen(member), memberStates.markPresent([member])]);
    const { head } = await history.readAfter(member);
    if (connection.closing) return;
    caller = next;
    closeWhenExpired(next);
    feed.start(head);
    ready(feed);
  };

  /** A later token: of the same member, or the socket ends. */
  const renew = async (known: Known, next: Known): Promise<void> => {
    if (next.memberId !== known.memberId) return connection.close('badToken');
    await refuseBarredLater(next);
    if (connection.closing || !joined) return;
    caller = next;
    registry.renew(connection, next);
    closeWhenExpired(next);
    ready(joined.feed);
  };

  const takeToken = async (token: string): Promise<void> => {
    const next = knownOf(await bearer.fromToken(token));
    // A staff account is no member and has no updates.
    if (!next.id) return connection.close('badToken');
    await (caller ? renew(caller, next) : open(next));
  };

  const handle = async (text: string): Promise<void> => {
    if (connection.closing) return;
    const message = parseClientMessage(text);
    if (message?.type === 'token') return takeToken(message.token);
    if (!caller) return connection.close('badToken');
    if (message?.type === 'resume') await joined?.feed.resume(parseFrameId(message.after));
  };

  const refuse = (error: unknown) => {
    const reason = closeReasonOf(error);
    if (reason === 'tryAgain') logger.warn({ err: error }, 'socket cannot be served now');
    connection.close(reason);
  };

  const leave = () => {
    clearTimeout(timer);
    joined?.feed.stop();
    if (joined) channels.leave(joined.member, joined.listener);
  };

  return {
    receive(text) {
      if (waiting >= mostWaiting) return connection.close('tryAgain');
      waiting += 1;
      work = work
        .then(() => handle(text))
        .catch(refuse)
        .finally(() => (waiting -= 1));
    },
    end() {
      clearTimeout(timer);
      joined?.feed.stop();
      // What is under way may still join the channel; it is left after that.
      void work.then(leave);
    },
  };
}
