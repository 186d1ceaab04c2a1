import {
  badRequest,
  Failure,
  notFound,
  payloadTooLarge,
  unavailable,
  unsupportedMediaType,
} from '@covalence/contract/failure';
import type { Logger } from '@covalence/runtime/logger';
import { currentRequestId } from '@covalence/runtime/request-context';
import { isUnavailableError } from '@covalence/runtime/unavailable-error';
import type { ErrorRequestHandler, RequestHandler } from 'express';

const parserFailures = new Map<unknown, () => Failure>([
  [400, badRequest],
  [413, payloadTooLarge],
  [415, unsupportedMediaType],
]);

const parserFailure = (error: unknown): Failure | undefined => {
  if (!(error instanceof Error) || !('status' in error) || !('expose' in error)) return undefined;
  return parserFailures.get(error.status)?.();
};

/** Converts a thrown value to a documented failure; undefined for a defect. */
export function asFailure(error: unknown): Failure | undefined {
  if (error instanceof Failure) return error;
  if (error instanceof URIError) return badRequest();
  return parserFailure(error) ?? (isUnavailableError(error) ? unavailable(error) : undefined);
}

/** Maps an error to a response: failures as they are, everything else to a 500 without details. */
export function failureResponse(error: unknown) {
  const failure = asFailure(error);
  if (!failure) {
    const request_id = currentRequestId();
    return {
      status: 500,
      headers: {},
      body: { fail: 'Internal Server Error', ...(request_id && { request_id }) },
    };
  }
  const { status, headers, message: fail, failcode, problems } = failure;
  return { status, headers, body: { fail, ...(failcode && { failcode }), ...(problems && { problems }) } };
}

/** Logs defects as errors and unavailable stores as warnings. */
export function logError(logger: Logger, error: unknown): void {
  const failure = asFailure(error);
  if (!failure) logger.error({ err: error }, 'request failed');
  else if (failure.status >= 500) logger.warn({ err: failure.cause ?? failure }, failure.message);
}

/** The last middleware of every service. */
export function errorHandler(logger: Logger): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    logError(logger, error);
    if (response.headersSent) return next(error);
    const { status, headers, body } = failureResponse(error);
    response.status(status).set(headers).json(body);
  };
}

/** Answers 404 when no route matches. */
export const unknownRoute: RequestHandler = (_request, _response, next) => next(notFound());
