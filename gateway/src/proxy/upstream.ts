import { answerErrorOnSocket } from '@covalence/http/socket-answer';
import { createProxyMiddleware, proxyEventsPlugin } from 'http-proxy-middleware';
import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { away, createForwarding, type Forwarding, type ForwardingOptions } from './forward.ts';
import type { Tunnels } from './tunnels.ts';

/** Told the status of an upgrade's answer, or nothing where its client has left. */
type Answered = (status?: number) => void;

/** One service behind the gateway. */
export interface Upstream extends Forwarding {
  /**
   * Passes a WebSocket upgrade on and joins the two connections; the caller has rewritten the headers. `answered` is called
   * with the status that the client gets.
   */
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer, answered: Answered): void;
}

/** What an upstream works with. */
export interface UpstreamOptions extends ForwardingOptions {
  readonly tunnels: Tunnels;
}

/**
 * Creates the connection to a service: plain requests by the lean way, WebSockets by the proxy middleware, whose default plugins
 * are left out, because they parse and log a URL per answer; their error handling is here.
 */
export function createUpstream(options: UpstreamOptions): Upstream {
  const { url, timeoutMs, logger, tunnels } = options;
  const asked = new WeakMap<IncomingMessage, Answered>();
  const proxy = createProxyMiddleware({
    target: new URL(url),
    upgradeTimeout: timeoutMs,
    pathFilter: () => true,
    ejectPlugins: true,
    plugins: [proxyEventsPlugin],
    on: {
      proxyReqWs: (proxied, request, socket) => {
        proxied.once('upgrade', ({ statusCode }: IncomingMessage, service: Socket) => {
          tunnels.add(socket, service);
          asked.get(request)?.(statusCode);
        });
        proxied.once('response', ({ statusCode }: IncomingMessage) => asked.get(request)?.(statusCode));
        // A client that leaves while the service has not answered yet.
        socket.once('close', () => proxied.destroy());
        request.once('error', () => proxied.destroy());
      },
      error: (error, request, other) => {
        if (other instanceof ServerResponse) return;
        if (tunnels.has(other)) other.destroy();
        else {
          const requestId = String(request.headers['x-request-id']);
          asked.get(request)?.(answerErrorOnSocket(other, away(error), { requestId, logger }));
        }
      },
    },
  });
  return {
    ...createForwarding(options),
    upgrade(request, socket, head, answered) {
      asked.set(request, answered);
      proxy.upgrade(request, socket, head);
    },
  };
}
