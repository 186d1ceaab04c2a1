import { methodNotAllowed } from '@covalence/contract/failure';
import { bodyParsers } from '@covalence/http/body';
import { asFailure } from '@covalence/http/errors';
import type { ErrorRequestHandler, Express, RequestHandler } from 'express';
import { appAssociations } from './clients/app-associations.ts';
import type { Context } from './context.ts';
import { appealPage } from './sign-in/account/appeal-page.ts';
import { deletionPage } from './sign-in/account/delete-account.ts';
import { exportDataPage } from './sign-in/account/export-data.ts';
import { requestEmailPage } from './sign-in/account/request-email.ts';
import { accountStartPage } from './sign-in/account/manage-account.ts';
import { devicePage } from './sign-in/device/device-link.ts';
import { requestDevice } from './sign-in/device/request-device.ts';
import { confirmEmailPage } from './sign-in/email/confirm-email.ts';
import { revertEmailPage } from './sign-in/email/revert-email.ts';
import { stopDigestPage } from './sign-in/email/stop-digest.ts';
import { exchangeIdentity } from './sign-in/identities/exchange-token.ts';
import { linkIdentityPage, requestLink } from './sign-in/identities/link-by-mail.ts';
import {
  beginProviderSignIn,
  callbackPath,
  finishProviderSignIn,
  takeProviderAnswer,
} from './sign-in/identities/provider-sign-in.ts';
import { pageErrors } from './sign-in/pages/page-errors.ts';
import { takeOffer } from './sign-in/login/offer-passkey.ts';
import { takeOwnPassword } from './sign-in/login/take-own-password.ts';
import { managePasskeysPage } from './sign-in/account/manage-passkeys.ts';
import { ownPasswordPage } from './sign-in/password/change-password.ts';
import { cancelRecoveryPage } from './sign-in/password/cancel-recovery.ts';
import { showNewPassword, takeNewPassword } from './sign-in/password/choose-password.ts';
import { takeRecoveryNotice } from './sign-in/password/recovery-notice.ts';
import { showForgotten, submitForgotten } from './sign-in/password/forgotten-password.ts';
import { showRegistration, submitRegistration } from './sign-in/registration/register.ts';
import { submitSecondFactor } from './sign-in/login/submit-second-factor.ts';
import { backToLogin, cancelLogin, showLogin } from './sign-in/login/show-login.ts';
import type { HostedPage } from './sign-in/sign-in-context.ts';
import { submitLogin } from './sign-in/login/submit-login.ts';
import { twoStepPage } from './sign-in/account/two-step.ts';
import { undoPasskeyPage, undoTwoStepPage } from './sign-in/account/undo-pages.ts';
import {
  answerInJson,
  asAuthorizationForm,
  asForm,
  asRevocation,
  atPublicAddress,
  recordArrival,
  redirectToGet,
  refuseScripts,
  reopen,
  rewriteQuery,
} from './tokens/provider/requests.ts';
import { beforeSignOut } from './tokens/provider/before-sign-out.ts';

const bodyLimit = 64 * 1024;

/** A path that oidc-provider handles, and what runs before it. */
interface ProviderPath {
  readonly path: string;
  readonly GET?: readonly RequestHandler[];
  readonly POST?: readonly RequestHandler[];
  /** Opened by people: server errors are pages. */
  readonly page?: true;
}

const providerPaths = (context: Context): ProviderPath[] => {
  const parsers = bodyParsers(bodyLimit);
  const form = [...parsers, asForm];
  return [
    // The router tries them in this order: the most frequent path first.
    {
      path: '/token',
      POST: [recordArrival(context.clock), answerInJson, ...form, exchangeIdentity(context)],
    },
    {
      path: '/authorize',
      GET: [refuseScripts, rewriteQuery],
      POST: [refuseScripts, ...parsers, redirectToGet('/authorize')],
      page: true,
    },
    { path: '/par', POST: [answerInJson, ...parsers, asAuthorizationForm] },
    { path: '/authorize/:uid', GET: [refuseScripts], page: true },
    { path: '/revoke', POST: [answerInJson, ...parsers, asRevocation(context.tokens.server)] },
    { path: '/jwks', GET: [answerInJson] },
    { path: '/.well-known/openid-configuration', GET: [answerInJson] },
    { path: '/.well-known/oauth-authorization-server', GET: [answerInJson] },
    {
      path: '/session/end',
      GET: [rewriteQuery],
      POST: [...parsers, redirectToGet('/session/end')],
      page: true,
    },
    { path: '/session/end/confirm', POST: [...form, beforeSignOut(context)], page: true },
    { path: '/session/end/success', GET: [] },
  ];
};

const hostedPages: readonly HostedPage[] = [
  { path: '/login/:uid', GET: showLogin, POST: submitLogin },
  { path: '/login/:uid/register', GET: showRegistration, POST: submitRegistration },
  { path: '/login/:uid/cancel', GET: cancelLogin },
  { path: '/login/:uid/forgotten', GET: showForgotten, POST: submitForgotten },
  { path: '/login/:uid/factor', GET: backToLogin, POST: submitSecondFactor },
  { path: '/login/:uid/password', GET: backToLogin, POST: takeOwnPassword },
  { path: '/login/:uid/passkey', GET: backToLogin, POST: takeOffer },
  { path: '/login/:uid/recovery', GET: backToLogin, POST: takeRecoveryNotice },
  { path: '/login/:uid/device', GET: backToLogin, POST: requestDevice },
  { path: '/login/:uid/identity', GET: finishProviderSignIn },
  { path: '/login/:uid/identity/mail', GET: backToLogin, POST: requestLink },
  linkIdentityPage,
  { path: '/login/:uid/identity/:provider', GET: beginProviderSignIn },
  { path: callbackPath, GET: takeProviderAnswer, POST: takeProviderAnswer },
  devicePage,
  { path: '/password/:token', GET: showNewPassword, POST: takeNewPassword },
  cancelRecoveryPage,
  accountStartPage,
  ownPasswordPage,
  managePasskeysPage,
  twoStepPage,
  requestEmailPage,
  exportDataPage,
  deletionPage,
  undoPasskeyPage,
  undoTwoStepPage,
  confirmEmailPage,
  revertEmailPage,
  stopDigestPage,
  appealPage,
];

/** Server errors before the provider is reached become pages; request errors stay JSON for programs. */
function serverErrorPages(context: Context): ErrorRequestHandler {
  const show = pageErrors(context);
  return (error: unknown, request, response, next) => {
    const isServerError = (asFailure(error)?.status ?? 500) >= 500;
    return isServerError ? show(error, request, response, next) : next(error);
  };
}

const passToProvider =
  ({ tokens }: Context): RequestHandler =>
  async (request, response) => {
    const { handle } = await tokens.server.current();
    if (request.body !== undefined) reopen(request);
    await handle(request, response);
  };

/** Mounts the provider's paths (OAuth, RFC 7009, discovery); other methods get 405. */
export function mountProvider(app: Express, context: Context): void {
  const publicAddress = atPublicAddress(context.issuer);
  const provider = passToProvider(context);
  for (const { path, GET, POST, page } of providerPaths(context)) {
    if (GET) app.get(path, publicAddress, ...GET, provider);
    if (POST) app.post(path, publicAddress, ...POST, provider);
    if (page) app.use(path, serverErrorPages(context));
    const methods = [...(GET ? ['GET', 'HEAD'] : []), ...(POST ? ['POST'] : [])];
    app.all(path, () => {
      throw methodNotAllowed(methods);
    });
  }
}

/** Mounts the files by which phones know the apps of this server. */
export function mountAppAssociations(app: Express, { clients, clock }: Context): void {
  for (const [path, handler] of appAssociations(clients, clock)) app.get(path, handler);
}

/** Mounts the hosted pages. */
export function mountPages(app: Express, context: Context): void {
  const parsers = bodyParsers(bodyLimit);
  for (const { path, GET, POST, ignoresBody } of hostedPages) {
    app.get(path, (request, response) => GET({ request, response, context }));
    if (POST)
      app.post(path, ...(ignoresBody ? [] : parsers), (request, response) =>
        POST({ request, response, context }),
      );
    app.use(path, pageErrors(context));
  }
}
