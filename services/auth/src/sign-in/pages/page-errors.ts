import { asFailure, logError } from '@covalence/http/errors';
import type { ErrorRequestHandler } from 'express';
import type { Context } from '../../context.ts';
import { errorPage } from './sign-in-pages.ts';
import { notedSetting, strangersSetting } from '../../localization/presentation.ts';
import { pageHeaders } from './style.ts';

/** The hosted pages tell people, not programs, what went wrong, and lead back to the form where a sign-in may go on in a moment. */
export function pageErrors(context: Context): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    logError(context.logger, error);
    if (response.headersSent) return next(error);
    const failure = asFailure(error);
    const status = failure?.status ?? 500;
    const setting = notedSetting(request) ?? strangersSetting(request, context.sites);
    const { uid } = request.params;
    const message = status < 500 ? 'errorOther' : 'errorAway';
    const back = status < 500 || typeof uid !== 'string' ? undefined : `/login/${encodeURIComponent(uid)}`;
    response
      .status(status)
      .set({ ...pageHeaders(), ...failure?.headers })
      .send(errorPage(setting, message, { back }));
  };
}
