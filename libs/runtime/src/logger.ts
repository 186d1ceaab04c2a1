import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { currentRequestId } from './request-context.ts';
import { currentTraceId } from './tracing.ts';

/** A structured logger: each line has the service and, inside a request, the request id and the trace id. */
export type Logger = PinoLogger;

const hidden = [
  'authorization',
  'password',
  'client_secret',
  'access_token',
  'refresh_token',
  'token',
  'secret',
  'cookie',
  'email',
];

/** Logs name, message, stack and cause of an error only: drivers attach whole requests and documents, with members' texts. */
function loggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { type, message, stack, code } = pino.stdSerializers.err(error);
  const several = error instanceof AggregateError && { aggregateErrors: error.errors.map(loggedError) };
  return { type, message, stack, code, ...several };
}

/** Creates a logger: JSON lines on standard output, without secrets and personal data. */
export function createLogger(name: string, level: string, destination?: DestinationStream): Logger {
  const options = {
    name,
    level,
    base: { service: name },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: { err: loggedError },
    redact: { paths: hidden.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '[hidden]' },
    mixin: () => {
      const requestId = currentRequestId();
      const traceId = currentTraceId();
      return { ...(requestId && { request_id: requestId }), ...(traceId && { trace_id: traceId }) };
    },
  };
  return destination ? pino(options, destination) : pino(options);
}
