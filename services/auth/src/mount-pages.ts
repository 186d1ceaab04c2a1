import { bodyParsers } from '@covalence/http/body';
import { Router, type Express, type Request, type Response } from 'express';
import type { Context } from './context.ts';
import { askConfirmation, takeConfirmation } from './sign-in/email/confirm-email.ts';
import { askForDevice, confirmDevice } from './sign-in/device/confirm-device.ts';
import { backToLogin, requestDevice } from './sign-in/device/request-device.ts';
import { askRevert, takeRevert } from './sign-in/email/revert-email.ts';
import { showLogin } from './sign-in/show-login.ts';
import { submitLogin } from './sign-in/submit-login.ts';
import { showChangePassword, takeChangePassword } from './sign-in/password/change-password.ts';
import { showNewPassword, takeNewPassword } from './sign-in/password/choose-password.ts';
import { showForgotten, submitForgotten } from './sign-in/password/forgotten-password.ts';
import { changePasswordPath } from './tokens/provider/hosted-pages-client.ts';
import { pageErrors } from './sign-in/pages/page-errors.ts';

type Handler = (request: Request, response: Response, context: Context) => Promise<void>;

/** A hosted page: what shows it, and what takes its form. */
interface HostedPage {
  readonly path: string;
  readonly GET: Handler;
  readonly POST: Handler;
}

const hostedPages: readonly HostedPage[] = [
  { path: '/login/:uid', GET: showLogin, POST: submitLogin },
  { path: '/login/:uid/forgotten', GET: showForgotten, POST: submitForgotten },
  { path: '/login/:uid/device', GET: backToLogin, POST: requestDevice },
  { path: '/device/:token', GET: askForDevice, POST: confirmDevice },
  { path: '/password/:token', GET: showNewPassword, POST: takeNewPassword },
  { path: changePasswordPath, GET: showChangePassword, POST: takeChangePassword },
  { path: '/email/:token', GET: askConfirmation, POST: takeConfirmation },
  { path: '/email/:token/revert', GET: askRevert, POST: takeRevert },
];

const bodyLimit = 16 * 1024;

/** Mounts the pages that people see, beside the provider's own. */
export function mountPages(app: Express, context: Context): void {
  const router = Router();
  for (const { path, GET, POST } of hostedPages) {
    router.get(path, (request, response) => GET(request, response, context));
    router.post(path, ...bodyParsers(bodyLimit), (request, response) => POST(request, response, context));
    router.use(path, pageErrors(context));
  }
  app.use(router);
}
