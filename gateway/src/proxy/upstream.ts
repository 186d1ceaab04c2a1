import { answerErrorOnSocket } from '@covalence/http/socket-answer';
import { createProxyMiddleware, proxyEventsPlugin } from 'http-proxy-middleware';
import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { away, createForwarding, type ForwardingOptions } from './forward.ts';
import type { Tunnels } from './tunnels.ts';

/** Called with the status of an upgrade's response, or without one if the client disconnected. */
type Answered = (status?: number) => void;

/** One service behind the gateway. */
export type Upstream = ReturnType<typeof createUpstream>;

/**
 * Creates the connection to a service: plain requests through undici, WebSockets through the proxy middleware. Its default plugins are
 * off, because they parse and log a URL for every response; their error handling is here.
 */
export function createUpstream(options: ForwardingOptions & { readonly tunnels: Tunnels }) {
  const { url, timeoutMs, logger, tunnels } = options;
  const pending = new WeakMap<IncomingMessage, Answered>();
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
          pending.get(request)?.(statusCode);
        });
        proxied.once('response', ({ statusCode }: IncomingMessage) => pending.get(request)?.(statusCode));
        // The client disconnected before the service answered.
        socket.once('close', () => proxied.destroy());
        request.once('error', () => proxied.destroy());
      },
      error: (error, request, other) => {
        if (other instanceof ServerResponse) return;
        if (tunnels.has(other)) other.destroy();
        else {
          const requestId = String(request.headers['x-request-id']);
          pending.get(request)?.(answerErrorOnSocket(other, away(error), { requestId, logger }));
        }
      },
    },
  });
  return {
    ...createForwarding(options),
    /** Forwards a WebSocket upgrade, whose headers the caller has rewritten. Calls `answered` with the response status. */
    upgrade(request: IncomingMessage, socket: Socket, head: Buffer, answered: Answered): void {
      pending.set(request, answered);
      proxy.upgrade(request, socket, head);
    },
  };
}
