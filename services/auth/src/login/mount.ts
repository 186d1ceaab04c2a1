import { bodyParsers } from '@covalence/http/body';
import { Router, type Express } from 'express';
import type { Context } from '../context.ts';
import { loginErrors, showLogin } from './show.ts';
import { submitLogin } from './submit.ts';

/** Mounts the hosted login page. */
export function mountLogin(app: Express, context: Context): void {
  const router = Router();
  router.get('/:uid', (request, response) => showLogin(request, response, context));
  router.post('/:uid', ...bodyParsers(16 * 1024), (request, response) =>
    submitLogin(request, response, context),
  );
  router.use(loginErrors(context));
  app.use('/login', router);
}
