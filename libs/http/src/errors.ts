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

/** What a failure looks like on the wire. */
export interface FailureResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly fail: string;
    readonly failcode?: readonly number[];
    readonly request_id?: string;
  };
}

const parserFailures = new Map<unknown, () => Failure>([
  [400, badRequest],
  [413, payloadTooLarge],
  [415, unsupportedMediaType],
]);

const parserFailure = (error: unknown): Failure | undefined => {
  if (!(error instanceof Error) || !('status' in error) || !('expose' in error)) return undefined;
  return parserFailures.get(error.status)?.();
};

/** Any thrown value as one of the documented failures; undefined is a defect. */
export function asFailure(error: unknown): Failure | undefined {
  if (error instanceof Failure) return error;
  if (error instanceof URIError) return badRequest();
  return parserFailure(error) ?? (isUnavailableError(error) ? unavailable(error) : undefined);
}

/** The one mapping from errors to responses: failures as they are, everything else 500 with nothing internal. */
export function failureResponse(error: unknown): FailureResponse {
  const failure = asFailure(error);
  if (!failure) {
    const request_id = currentRequestId();
    return {
      status: 500,
      headers: {},
      body: { fail: 'Internal Server Error', ...(request_id && { request_id }) },
    };
  }
  const { status, headers, message: fail, failcode } = failure;
  return { status, headers, body: { fail, ...(failcode && { failcode }) } };
}

/** Logs what only the operator may see: defects as errors, stores that are away as warnings. */
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

/** 404 for everything no route took. */
export const unknownRoute: RequestHandler = (_request, _response, next) => next(notFound());
