import { addressKey } from '@covalence/http/address-key';
import { notFound, tooManyRequests, unavailable, type Failure } from '@covalence/contract/failure';
import { requestIdOf } from '@covalence/http/request-id';
import { answerErrorOnSocket } from '@covalence/http/socket-answer';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { Connection, type ConnectionLimits } from './connection.ts';
import { Session } from './session.ts';
import type { SocketsContext } from './sockets.ts';

const path = '/ws/updates';
const largestMessage = 64 * 1024;
const retrySeconds = 30;
/** Tokens and commands come in one fragment; waiting fragments take much memory. */
const mostFragments = 16;

/** The key of the client's address, which the gateway, the only caller, reports. */
function addressOf({ headers, socket }: IncomingMessage): string {
  const forwarded = headers['x-forwarded-for'];
  const last = Array.isArray(forwarded) ? forwarded.at(-1) : forwarded?.split(',').at(-1)?.trim();
  return addressKey(last ?? socket.remoteAddress ?? '');
}

function refusal(request: IncomingMessage, { health, sockets }: SocketsContext): Failure | undefined {
  if (request.url?.split('?')[0] !== path) return notFound();
  if (!health.accepting) return unavailable();
  const admitted = sockets.registry.admit(addressOf(request));
  if (admitted === 'process-full') return unavailable(new Error('SOCKETS_PER_PROCESS is reached'));
  return admitted === 'admitted' ? undefined : tooManyRequests(retrySeconds);
}

/** The library itself closes the socket, for example with 1009 for a message over the limit. */
const ignore = () => undefined;

function serve(socket: WebSocket, address: string, limits: ConnectionLimits, context: SocketsContext): void {
  const { sockets, metrics } = context;
  const { registry } = sockets;
  const connection = new Connection(socket, address, limits);
  const session = new Session(connection, context);
  registry.add(connection);
  metrics.sockets.inc();
  socket.on('error', ignore);
  socket.on('message', (data: RawData, isBinary: boolean) => {
    // Tokens and commands are text; anything else is invalid.
    if (Buffer.isBuffer(data)) session.receive(isBinary ? '' : data.toString('utf8'));
  });
  socket.on('close', () => {
    registry.remove(connection);
    metrics.sockets.dec();
    session.end();
  });
}

/** Shared by all sockets: a closure for each would keep its request in memory. */
function destroyThis(this: Duplex): void {
  this.destroy();
}

/** Accepts WebSocket upgrades of /ws/updates; answers 404 for others, 429 or 503 when the address or the process has too many. */
export function createAcceptor(
  context: SocketsContext,
): (request: IncomingMessage, socket: Duplex, head: Buffer) => void {
  const { config } = context;
  const limits = { closeWaitMs: config.CLOSE_WAIT_MS, maxBufferedBytes: config.MAX_BUFFERED_BYTES };
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: largestMessage,
    maxFragments: mostFragments,
    perMessageDeflate: false,
  });
  return (request, socket, head) => {
    socket.on('error', destroyThis);
    const failure = refusal(request, context);
    if (failure) {
      const requestId = requestIdOf(request.headers['x-request-id']);
      answerErrorOnSocket(socket, failure, { requestId, logger: context.live.logger });
      return;
    }
    const address = addressOf(request);
    server.handleUpgrade(request, socket, head, (accepted) => serve(accepted, address, limits, context));
  };
}
