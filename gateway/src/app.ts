import { badRequest, Failure, methodNotAllowed, notFound } from '@covalence/contract/failure';
import { addressKey } from '@covalence/http/address-key';
import { requestIdOf } from '@covalence/http/request-id';
import { traceRequest } from '@covalence/http/trace-request';
import { bindTrace, newTrace, traceHeaders, traceOf } from '@covalence/runtime/tracing';
import { createServer, IncomingMessage, type Server } from 'node:http';
import { admit } from './admission/admission.ts';
import { Answer, answerError } from './responses/answer.ts';
import { checkAnnouncedLength } from './proxy/body-limit.ts';
import { clientAddress } from './admission/trusted-proxies.ts';
import { hstsOf } from './config.ts';
import type { Context } from './context.ts';
import { allowedMethods } from './admission/cors.ts';
import { answerMalformed, type AnswersUnderWay } from './responses/malformed.ts';
import { measure } from './responses/measure.ts';
import { countUnanswered } from './responses/pipelining.ts';
import { hasRepeatedHeader, requestHeaders } from './proxy/request-headers.ts';
import { pathOf } from './routing/route-table.ts';
import { handleUpgrade, wantsWebSocket } from './proxy/upgrade.ts';

/** The gateway's server; it does not listen. */
export interface App {
  readonly server: Server;
  /** Closes every WebSocket with 1001 and resolves when all are closed. */
  goAway(): Promise<void>;
}

const upgradeRequired = () => new Failure(426, 'Upgrade Required', { headers: { Upgrade: 'websocket' } });

const methodsOfOwnPages = ['GET'] as const;

/** Handles one request: route, limits, method, size, token, then the service. Throws the refusal. */
async function serve(request: IncomingMessage, response: Answer, context: Context): Promise<void> {
  const { config, limits, routeTable, cors, upstreams } = context;
  const { method = '' } = request;
  if (!request.headers.host && request.httpVersion !== '1.0') throw badRequest();
  if (hasRepeatedHeader(request)) throw badRequest();
  context.checkProxies(request);
  const path = pathOf(request);
  const route = routeTable.find(path);
  const ownPage = route ? undefined : context.ownPages(path);
  if (!route?.page && ownPage?.forAll !== false) cors.apply(request, response);
  const name = ownPage?.name ?? route?.path;
  const end = measure(context, { method, route: name, requestId: response.requestId });
  const behindProxy = config.TRUSTED_PROXIES > 0;
  // Ignore trace headers of clients.
  const within = behindProxy ? traceOf(request.headers) : newTrace;
  const { requestId } = response;
  const trace = traceRequest(request, response, { requestId, route: name, within });
  response.trace = trace;
  const close = () => {
    const { writableFinished, statusCode, isCutOff } = response;
    end(writableFinished ? statusCode : isCutOff ? 502 : undefined);
  };
  response.on('close', bindTrace(trace, close));

  const address = clientAddress(request, config.TRUSTED_PROXIES);
  const counted = limits.address(addressKey(address));
  if (counted) await counted;
  if (!route && !ownPage) throw notFound();
  const methods = route?.methods ?? methodsOfOwnPages;
  if (method === 'OPTIONS') return cors.preflight(request, response, methods);
  const allowed = allowedMethods(methods);
  if (!allowed.includes(method)) throw methodNotAllowed(allowed);
  if (!route) return ownPage?.answer(request, response);
  if (route.webSocket) throw upgradeRequired();
  checkAnnouncedLength(request, route.bodyLimit);
  await admit(request, route.access, context);

  // The client has disconnected.
  if (response.destroyed || request.socket.destroyed) return;
  if (request.headers.expect) response.writeContinue();
  const headers = requestHeaders(request, { requestId, address, behindProxy, trace: traceHeaders(trace) });
  upstreams[route.service].forward({ request, response, headers, bodyLimit: route.bodyLimit });
}

/** Creates the gateway's server from its context; it does not listen. */
export function createApp(context: Context): App {
  const { config, logger, tunnels } = context;
  const hsts = hstsOf(config);
  const underWay: AnswersUnderWay = new WeakMap();

  const handle = (request: IncomingMessage, response: Answer): void => {
    if (!countUnanswered(request, response)) return;
    underWay.set(request.socket, response);
    response.requestId = requestIdOf(request.headers['x-request-id']);
    if (hsts !== undefined) response.always('Strict-Transport-Security', hsts);
    serve(request, response, context).catch((error: unknown) => answerError(response, error, logger));
  };

  const server = createServer(
    {
      headersTimeout: config.HEADERS_TIMEOUT_MS,
      requestTimeout: config.REQUEST_TIMEOUT_MS,
      keepAliveTimeout: config.KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: Math.min(config.HEADERS_TIMEOUT_MS, 5_000),
      // `serve` answers a missing Host with JSON.
      requireHostHeader: false,
      shouldUpgradeCallback: wantsWebSocket,
      IncomingMessage,
      ServerResponse: Answer,
    },
    handle,
  );
  server.timeout = config.CLIENT_SILENCE_MS;
  // A client that sends Expect: 100-continue gets it only once the request is admitted.
  server.on('checkContinue', handle);
  server.on('checkExpectation', handle);
  server.on('upgrade', (request, socket, head) => handleUpgrade(request, socket, head, context));
  answerMalformed(server, underWay, logger);
  return { server, goAway: () => tunnels.goAway() };
}
