import { answerErrorOnSocket } from '@covalence/http/socket-answer';
import { createProxyMiddleware, proxyEventsPlugin } from 'http-proxy-middleware';
import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { away, createForwarding, type Forwarding, type ForwardingOptions } from './forward.ts';
import type { Tunnels } from './tunnels.ts';

/** One service behind the gateway. */
export interface Upstream extends Forwarding {
  /** Passes a WebSocket upgrade on and joins the two connections; the caller has rewritten the headers. */
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void;
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
  const proxy = createProxyMiddleware({
    target: new URL(url),
    upgradeTimeout: timeoutMs,
    pathFilter: () => true,
    ejectPlugins: true,
    plugins: [proxyEventsPlugin],
    on: {
      proxyReqWs: (proxied, request, socket) => {
        proxied.once('upgrade', (_answer, service: Socket) => tunnels.add(socket, service));
        // A client that leaves while the service has not answered yet.
        socket.once('close', () => proxied.destroy());
        request.once('error', () => proxied.destroy());
      },
      error: (error, request, other) => {
        if (other instanceof ServerResponse) return;
        if (tunnels.has(other)) other.destroy();
        else {
          const requestId = String(request.headers['x-request-id']);
          answerErrorOnSocket(other, away(error), { requestId, logger });
        }
      },
    },
  });
  return {
    ...createForwarding(options),
    upgrade: (request, socket, head) => proxy.upgrade(request, socket, head),
  };
}
