import { bodyParsers } from '@covalence/http/body';
import { Router, type Express, type Request, type Response } from 'express';
import type { Context } from '../context.ts';
import { askConfirmation, takeConfirmation } from '../email/confirm-page.ts';
import { askForDevice, confirmDevice } from '../login/confirm-device.ts';
import { backToLogin, requestDevice } from '../login/request-device.ts';
import { askRevert, takeRevert } from '../email/revert-page.ts';
import { showLogin } from '../login/show.ts';
import { submitLogin } from '../login/submit.ts';
import { showChangePassword, takeChangePassword } from '../password/change-page.ts';
import { showNewPassword, takeNewPassword } from '../password/choose.ts';
import { showForgotten, submitForgotten } from '../password/forgotten.ts';
import { changePasswordPath } from '../tokens/own-client.ts';
import { pageErrors } from './page-errors.ts';

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
