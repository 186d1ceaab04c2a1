import type { Sites } from '@covalence/contract/sites';
import { asFailure, logError } from '@covalence/http/errors';
import type { Logger } from '@covalence/runtime/logger';
import type { ErrorRequestHandler } from 'express';
import { sendPage } from './respond.ts';
import { errorPage } from './sign-in-pages.ts';
import { remembered, anonymousPresentation } from '../../localization/presentation.ts';
import { pageHeaders } from './style.ts';

/** Error pages of hosted pages, with a link back to the form when a retry may work. */
export function pageErrors({
  logger,
  sites,
}: {
  readonly logger: Logger;
  readonly sites: Sites;
}): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    logError(logger, error);
    if (response.headersSent) return next(error);
    const failure = asFailure(error);
    const status = failure?.status ?? 500;
    const presentation = remembered(request) ?? anonymousPresentation(request, sites);
    const { uid } = request.params;
    const message = status < 500 ? 'errorOther' : 'errorAway';
    const back = status < 500 || typeof uid !== 'string' ? undefined : `/login/${encodeURIComponent(uid)}`;
    const headers = { ...pageHeaders(), ...failure?.headers };
    sendPage(response, errorPage(presentation, message, { back }), status, headers);
  };
}
