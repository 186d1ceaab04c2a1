import { badRequest, forbidden, notFound, unavailable } from '@covalence/contract/failure';
import { addressKey } from '@covalence/http/address-key';
import { requestIdOf } from '@covalence/http/request-id';
import type { Health } from '@covalence/runtime/health';
import type { Logger } from '@covalence/runtime/logger';
import type { Metrics } from '@covalence/runtime/metrics';
import { bindTrace, newTrace, traceHeaders, traceOf, type TraceHeaders } from '@covalence/runtime/tracing';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { answerErrorOnSocket } from '@covalence/http/socket-answer';
import { beginRequest } from '@covalence/http/trace-request';
import type { Cors } from '../admission/cors.ts';
import type { Limits } from '../admission/limits.ts';
import { clientAddress } from '../admission/trusted-proxies.ts';
import { measure } from '../responses/measure.ts';
import { hasRepeatedHeader, requestHeaders } from './request-headers.ts';
import { pathOf, type Route, type RouteTable, type ServiceName } from '../routing/route-table.ts';
import type { Upstream } from './upstream.ts';

/** Dependencies of upgrades. */
interface UpgradeContext {
  readonly config: { readonly TRUSTED_PROXIES: number };
  readonly routeTable: RouteTable;
  readonly checkProxies: (request: IncomingMessage) => void;
  readonly limits: Limits;
  readonly cors: Cors;
  readonly upstreams: Readonly<Record<ServiceName, Upstream>>;
  readonly health: Health;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Whether a request asks for a WebSocket; any other Upgrade is ignored, as HTTP allows. */
export function wantsWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

/** An upgrade request. */
interface Opening {
  readonly request: IncomingMessage;
  readonly socket: Socket;
  readonly head: Buffer;
  readonly requestId: string;
  readonly route: Route | undefined;
  /** Its trace headers. */
  readonly trace: TraceHeaders;
  /** Called with the response status. */
  readonly answered: (status?: number) => void;
}

async function join(
  { request, socket, head, requestId, route, trace, answered }: Opening,
  context: UpgradeContext,
): Promise<void> {
  const { config, limits, upstreams, health, cors } = context;
  if (hasRepeatedHeader(request)) throw badRequest();
  context.checkProxies(request);
  const behindProxy = config.TRUSTED_PROXIES > 0;
  const address = clientAddress(request, config.TRUSTED_PROXIES);
  const counted = limits.address(addressKey(address));
  if (counted) await counted;
  if (!route?.webSocket) throw notFound();
  if (!cors.admits(request)) throw forbidden();
  if (!health.accepting) throw unavailable();
  if (socket.destroyed) return;
  const passed = requestHeaders(request, { requestId, address, behindProxy, trace });
  request.headers = { ...passed, connection: 'Upgrade', upgrade: 'websocket' };
  upstreams[route.service].upgrade(request, socket, head, answered);
}

/**
 * Forwards a WebSocket upgrade to its service, or answers 404 and closes the connection. It is measured like a request, until its
 * response.
 */
export function handleUpgrade(
  request: IncomingMessage,
  stream: Duplex,
  head: Buffer,
  context: UpgradeContext,
): void {
  const { config, routeTable, logger } = context;
  const socket = stream as Socket;
  const requestId = requestIdOf(request.headers['x-request-id']);
  socket.on('error', () => socket.destroy());
  const refuse = (error: unknown) => answerErrorOnSocket(socket, error, { requestId, logger });
  let route: Route | undefined;
  try {
    route = routeTable.find(pathOf(request));
  } catch (error) {
    refuse(error);
    return;
  }
  const named = { requestId, route: route?.path };
  // The span covers the opening only: the socket may stay open for hours.
  const step = beginRequest('GET', {
    ...named,
    within: config.TRUSTED_PROXIES > 0 ? traceOf(request.headers) : newTrace,
  });
  const measured = measure(context, { ...named, method: request.method, over: step.end });
  const answered = bindTrace(step.within, measured);
  socket.once('close', () => answered());
  const trace = traceHeaders(step.within);
  join({ request, socket, head, requestId, route, trace, answered }, context).catch(
    bindTrace(step.within, (error: unknown) => measured(refuse(error))),
  );
}
