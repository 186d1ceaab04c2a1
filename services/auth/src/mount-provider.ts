import { methodNotAllowed } from '@covalence/contract/failure';
import { bodyParsers } from '@covalence/http/body';
import { asFailure } from '@covalence/http/errors';
import type { ErrorRequestHandler, Express, RequestHandler } from 'express';
import type { Context } from './context.ts';
import { pageErrors } from './sign-in/pages/page-errors.ts';
import { beforeSignOut } from './tokens/sessions/before-sign-out.ts';
import {
  asForm,
  asQuery,
  asRevocation,
  atPublicAddress,
  byGet,
  noteArrival,
} from './tokens/provider/requests.ts';

const bodyLimit = 64 * 1024;

/** A path of the authorization server: its methods, and what happens before the provider. */
interface PublicPath {
  readonly path: string;
  readonly GET?: readonly RequestHandler[];
  readonly POST?: readonly RequestHandler[];
  /** Opened by people, who are told with a page that it does not work right now. */
  readonly page?: true;
}

const publicPaths = (context: Context): PublicPath[] => {
  const parsers = bodyParsers(bodyLimit);
  const form = [...parsers, asForm];
  return [
    // The most often asked first: the router tries them in this order.
    { path: '/token', POST: [noteArrival(context), ...form] },
    {
      path: '/authorize',
      GET: [asQuery],
      POST: [...parsers, byGet('/authorize')],
      page: true,
    },
    { path: '/authorize/:uid', GET: [], page: true },
    { path: '/revoke', POST: [...parsers, asRevocation(context)] },
    { path: '/jwks', GET: [] },
    { path: '/.well-known/openid-configuration', GET: [] },
    { path: '/.well-known/oauth-authorization-server', GET: [] },
    {
      path: '/session/end',
      GET: [asQuery],
      POST: [...parsers, byGet('/session/end')],
      page: true,
    },
    { path: '/session/end/confirm', POST: [...form, beforeSignOut(context)], page: true },
    { path: '/session/end/success', GET: [] },
  ];
};

/** Hands a request over to the provider. */
const handOver =
  ({ oidc }: Context): RequestHandler =>
  async (request, response) => {
    const { handle } = await oidc.current();
    await handle(request, response);
  };

/** What fails before the provider is reached, e.g. because a store is away. What is wrong with a request is told to programs. */
function awayPages(context: Context): ErrorRequestHandler {
  const show = pageErrors(context);
  return (error: unknown, request, response, next) => {
    const isOurs = (asFailure(error)?.status ?? 500) >= 500;
    return isOurs ? show(error, request, response, next) : next(error);
  };
}

/** Mounts the provider's paths (OAuth, RFC 7009, discovery); other methods get 405. */
export function mountAuthorization(app: Express, context: Context): void {
  const place = atPublicAddress(context);
  const provider = handOver(context);
  const away = awayPages(context);
  for (const { path, GET, POST, page } of publicPaths(context)) {
    if (GET) app.get(path, place, ...GET, provider);
    if (POST) app.post(path, place, ...POST, provider);
    if (page) app.use(path, away);
    const methods = [...(GET ? ['GET', 'HEAD'] : []), ...(POST ? ['POST'] : [])];
    app.all(path, () => {
      throw methodNotAllowed(methods);
    });
  }
}
