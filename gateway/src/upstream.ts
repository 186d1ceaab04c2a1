import { Failure, unavailable } from '@covalence/contract/failure';
import type { Logger } from '@covalence/runtime/logger';
import { createProxyMiddleware, proxyEventsPlugin } from 'http-proxy-middleware';
import { Agent, type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answerErrorOnSocket } from '@covalence/http/socket-answer';
import { answerError } from './answer.ts';
import { limitStreamedBody } from './body-limit.ts';
import { rewriteResponseHeaders } from './response-headers.ts';
import type { Tunnels } from './tunnels.ts';

/** One service behind the gateway. */
export interface Upstream {
  /**
   * Passes a request on and its answer back; the caller has rewritten the headers. A service that is away, silent or
   * swamped answers 503 (D2). When the client leaves, the service's request ends with it.
   */
  forward(request: IncomingMessage, response: ServerResponse, bodyLimit: number): void;
  /** Passes a WebSocket upgrade on and joins the two connections. */
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void;
  /** Drops idle connections. */
  close(): void;
}

/** What an upstream works with. */
export interface UpstreamOptions {
  readonly url: string;
  readonly timeoutMs: number;
  readonly maxRequests: number;
  readonly logger: Logger;
  readonly tunnels: Tunnels;
  /** True from the first moment of a shutdown: answers then close their connections. */
  readonly closing: () => boolean;
}

const idleConnections = 256;

/** Names a 503's cause without the client's data. */
const away = (error: unknown) => (error instanceof Failure ? error : unavailable(error));

/**
 * Creates the connection to a service: one proxy middleware over a keep-alive agent. Its default plugins are left out,
 * because they parse and log a URL per answer; their error handling is here.
 */
export function createUpstream(options: UpstreamOptions): Upstream {
  const { url, timeoutMs, maxRequests, logger, tunnels, closing } = options;
  const agent = new Agent({ keepAlive: true, maxFreeSockets: idleConnections });
  const bodyLimits = new WeakMap<IncomingMessage, number>();
  let underWay = 0;

  const proxy = createProxyMiddleware({
    target: new URL(url),
    agent,
    proxyTimeout: timeoutMs,
    upgradeTimeout: timeoutMs,
    pathFilter: () => true,
    ejectPlugins: true,
    plugins: [proxyEventsPlugin],
    on: {
      proxyReq: (proxied, request, response) => {
        limitStreamedBody(request, proxied, bodyLimits.get(request) ?? 0);
        // An answer given before the body was whole (400, 408, 413) leaves nobody who would send the rest.
        response.once('close', () => proxied.writableFinished || proxied.destroy());
      },
      proxyRes: (answer, _request, response) => rewriteResponseHeaders(answer, response, closing()),
      proxyReqWs: (proxied, request, socket) => {
        proxied.once('upgrade', (_answer, service: Socket) => tunnels.add(socket, service));
        // A client that leaves while the service has not answered yet.
        socket.once('close', () => proxied.destroy());
        request.once('error', () => proxied.destroy());
      },
      error: (error, request, other) => {
        if (other instanceof ServerResponse) answerError(other, away(error), logger);
        else if (tunnels.has(other)) other.destroy();
        else {
          const requestId = String(request.headers['x-request-id']);
          answerErrorOnSocket(other, away(error), { requestId, logger });
        }
      },
    },
  });

  return {
    forward(request, response, bodyLimit) {
      if (underWay >= maxRequests) {
        answerError(response, unavailable(new Error(`${maxRequests} requests under way`)), logger);
        return;
      }
      underWay += 1;
      response.once('close', () => (underWay -= 1));
      bodyLimits.set(request, bodyLimit);
      proxy(request, response, (error) => answerError(response, error, logger)).catch((error: unknown) =>
        answerError(response, error, logger),
      );
    },
    upgrade: (request, socket, head) => proxy.upgrade(request, socket, head),
    close: () => agent.destroy(),
  };
}
