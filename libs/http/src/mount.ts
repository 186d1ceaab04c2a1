import { bodyLimits } from '@covalence/contract/body-limits';
import { Failure, forbidden, invalidArgument, methodNotAllowed } from '@covalence/contract/failure';
import { parameterName } from '@covalence/contract/parameter-name';
import { coversSite, type StaffSites } from '@covalence/contract/staff-roles';
import type { Logger } from '@covalence/runtime/logger';
import type { Metrics } from '@covalence/runtime/metrics';
import { createSecurityLog, type SecurityLog } from '@covalence/runtime/security-events';
import type { Express, Request, RequestHandler, Response } from 'express';
import express from 'express';
import type { z } from 'zod';
import { addressKey } from './address-key.ts';
import { requireAccess, requireRecentSignIn, requireRole, type BearerVerifier } from './bearer.ts';
import { Accepted } from './accepted.ts';
import { createAnswerCheck } from './answer-check.ts';
import { auditOf, type Audit } from './audit.ts';
import { bodyParsers, parseQuery } from './body.ts';
import type { Access, AnyEndpoint, Caller, Routes } from './endpoint.ts';
import { entityTag, holdsVersion } from './entity-tag.ts';
import { errorHandler, unknownRoute } from './errors.ts';
import { multipart } from './multipart.ts';
import { normalizeNames, type Parameters } from './names.ts';
import { requestId } from './request-id.ts';
import { byPath } from './route-order.ts';
import type { ServiceGate } from './service-gate.ts';
import { observed } from './trace-request.ts';

/** The settings of a service's application, beside its own context. */
export interface MountOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly bearer: BearerVerifier;
  /** Admits the callers of endpoints with access `service`, which need it. */
  readonly services?: ServiceGate;
  /** Writes the calls of staff to the audit log: endpoints with access `staff` need it. */
  readonly audit?: Audit;
  /** Normalizes a parameter's name; only case and hyphens by default. */
  readonly canonicalName?: (name: string) => string;
  /** Checks every answer against its endpoint's output schema and codes: on in tests, off in production. */
  readonly checkOutput?: boolean;
  /** Maximum body size in bytes. */
  readonly bodyLimit?: number;
}

const asParameters = (value: unknown): Parameters => (value ?? {}) as Parameters;

/** Calls between services always send bodies. */
const readsQuery = ({ access, bodyOnly }: Pick<AnyEndpoint<never>, 'access' | 'bodyOnly'>): boolean =>
  !bodyOnly && access !== 'service';

function parametersOf(
  request: Request,
  definition: Pick<AnyEndpoint<never>, 'access' | 'bodyOnly'>,
  canonical: (name: string) => string,
): Parameters {
  return {
    ...(readsQuery(definition) && normalizeNames(asParameters(request.query), canonical)),
    ...normalizeNames(asParameters(request.body), canonical),
    ...request.params,
  };
}

async function callerWith(
  access: 'member' | 'staff',
  header: string | undefined,
  { bearer }: MountOptions,
): Promise<Caller> {
  const caller = await bearer.fromHeader(header);
  requireAccess(caller, access);
  return caller;
}

/** The Idempotency-Key header. A key that is too long is refused, because a truncated one could match another call. */
function idempotencyKeyOf(request: Request): string | undefined {
  const key = request.get('Idempotency-Key')?.trim();
  if (key && key.length > 255) throw invalidArgument();
  return key || undefined;
}

/** Authenticates the caller of one endpoint by the Authorization header; throws the refusal. */
type CallerOfHeader = (header: string | undefined) => Promise<Caller | undefined>;

/** Authentication by the access of an endpoint. */
const checks: Record<Access, (options: MountOptions, path: string) => CallerOfHeader> = {
  public: () => () => Promise.resolve(undefined),
  service: ({ services }, path) => {
    if (!services)
      throw new Error(`${path} has access 'service': createServiceApp needs the option services`);
    const check = services.at(path);
    return async (header) => {
      await check(header);
      return undefined;
    };
  },
  optional: (options) => (header) =>
    header === undefined ? Promise.resolve(undefined) : callerWith('member', header, options),
  member: (options) => (header) => callerWith('member', header, options),
  staff: (options) => (header) => callerWith('staff', header, options),
};

/** Records refused calls to staff and internal endpoints as security events, except expired tokens. */
function recordRefusal(
  access: Access,
  error: unknown,
  { ip }: Request,
  security: SecurityLog,
  caller?: Caller,
): void {
  if (!(error instanceof Failure)) return;
  const facts = { address: addressKey(ip ?? '') };
  if (access === 'service') {
    const reason = error.status === 403 ? 'caller' : 'token';
    security.record('service_call_refused', { ...facts, reason });
  }
  if (access === 'staff' && error.status === 403)
    security.record('staff_call_refused', {
      ...facts,
      staff: caller?.memberId,
      reason: caller ? 'role' : 'scope',
    });
}

/** The sites on which staff may make this call; undefined for other callers. Throws 403 without the role, or without it on the site of the call. */
async function staffSites<Context>(
  { staff }: AnyEndpoint<Context>,
  parsed: z.ZodSafeParseResult<unknown>,
  caller: Caller | undefined,
  context: Context,
): Promise<StaffSites | undefined> {
  if (!staff || !caller) return undefined;
  const sites = requireRole(caller, staff.roles);
  if (!parsed.success || sites === 'all' || staff.site === 'several') return sites;
  if (staff.site === 'every' || !coversSite(sites, await staff.site(parsed.data, context))) throw forbidden();
  return sites;
}

const tagged = new WeakMap<object, { readonly text: string; readonly tag: string }>();

/** The text and the ETag of an answer, which are kept for as long as its endpoint keeps the answer. */
function taggedOf(body: object) {
  const known = tagged.get(body);
  if (known) return known;
  const text = JSON.stringify(body);
  const made = { text, tag: entityTag(text) };
  tagged.set(body, made);
  return made;
}

/** Sends an answer with an ETag. It depends on the caller, so shared caches must not store it. */
function sendTagged(request: Request, response: Response, body: object): void {
  const { text, tag } = taggedOf(body);
  response.set({ ETag: tag, 'Cache-Control': 'private, no-cache' });
  response.vary('Authorization');
  if (holdsVersion(request, tag)) response.status(304).end();
  else response.type('json').send(text);
}

function routeHandler<Context>(
  route: string,
  definition: AnyEndpoint<Context>,
  context: Context,
  options: MountOptions,
): RequestHandler {
  const canonical = options.canonicalName ?? parameterName;
  const callerOf = checks[definition.access](options, route.split(' ')[1] ?? '');
  const security = createSecurityLog(options.logger, options.metrics);
  const { access, recentSignIn } = definition;
  const audit = auditOf(route, definition, options);
  const check = options.checkOutput ? createAnswerCheck(route, definition, options.logger) : undefined;
  const answer: RequestHandler = async (request, response) => {
    const caller = await callerOf(request.headers.authorization).catch((error: unknown) => {
      recordRefusal(access, error, request, security);
      throw error;
    });
    const parsed = definition.input.safeParse(parametersOf(request, definition, canonical));
    const isExcepted =
      caller && parsed.success && definition.recentSignInExcept?.(parsed.data, caller) === true;
    if (caller && recentSignIn && !isExcepted) requireRecentSignIn(caller, recentSignIn);
    const { data: input } = parsed;
    const sites = await staffSites(definition, parsed, caller, context).catch(async (error: unknown) => {
      recordRefusal(access, error, request, security, caller);
      await audit?.refuse(request, caller, error);
      throw error;
    });
    if (!parsed.success) throw invalidArgument();
    const call = {
      input,
      caller,
      sites,
      address: request.ip ?? '',
      idempotencyKey: idempotencyKeyOf(request),
    };
    const run = () => definition.run(call, context);
    const output = await (audit ? audit.runAudited({ request, caller, input, context, run }) : run());
    if (output instanceof Accepted) {
      response.status(202).json(check ? check.body('accepted', output.body) : output.body);
      return;
    }
    const body = check ? check.body('output', output) : output;
    if (definition.etag) sendTagged(request, response, body as object);
    else response.json(body);
  };
  if (!check) return answer;
  return async (request, response, next) => {
    try {
      await answer(request, response, next);
    } catch (error) {
      check.failure(error);
      throw error;
    }
  };
}

/** An Express application with the middleware of every route: request id, trace and metrics. */
export function createBareApp(metrics: Metrics): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // A path has one spelling: another one would be another route at the gateway, with other rules.
  app.enable('case sensitive routing');
  app.enable('strict routing');
  // Only the gateway may set the client's address.
  app.set('trust proxy', 1);
  app.set('query parser', parseQuery);
  app.use(requestId, observed(metrics));
  return app;
}

/** The body parsers of an endpoint, with its own limit and upload if it has them. */
function parsersOf<Context>(
  { upload, bodyLimit }: AnyEndpoint<Context>,
  shared: readonly RequestHandler[],
  sharedLimit: number,
): readonly RequestHandler[] {
  const limit = bodyLimit ?? sharedLimit;
  const parsers = bodyLimit === undefined ? shared : bodyParsers(limit);
  return upload ? [multipart(upload, limit), ...parsers] : parsers;
}

/** Mounts a route table: parsers, access, validation, 405 for other methods. */
export function mountRoutes<Context>(
  app: Express,
  routes: Routes<Context>,
  context: Context,
  options: MountOptions,
): void {
  const limit = options.bodyLimit ?? bodyLimits.standard;
  const shared = bodyParsers(limit);
  const methodsOf = new Map<string, string[]>();
  for (const [route, definition] of Object.entries(routes).toSorted(([one], [other]) => byPath(one, other))) {
    const [method = '', path = ''] = route.split(' ');
    methodsOf.set(path, [...(methodsOf.get(path) ?? []), method]);
    const register = app[method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete'].bind(app);
    const parsers = parsersOf(definition, shared, limit);
    register(path, ...parsers, routeHandler(route, definition, context, options));
  }
  for (const [path, methods] of methodsOf) {
    app.all(path, () => {
      throw methodNotAllowed(methods);
    });
  }
}

/** Mounts the handlers behind every route: 404, and the mapping of errors to answers. */
export function mountErrors(app: Express, logger: Logger): void {
  app.use(unknownRoute);
  app.use(errorHandler(logger));
}

/** Creates a service's application from its route table. */
export function createServiceApp<Context>(
  routes: Routes<Context>,
  context: Context,
  options: MountOptions,
): Express {
  const app = createBareApp(options.metrics);
  mountRoutes(app, routes, context, options);
  mountErrors(app, options.logger);
  return app;
}
