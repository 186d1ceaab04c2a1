import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { currentRequestId } from './request-context.ts';
import { currentTraceId } from './tracing.ts';

/** A structured logger; every line carries the part's name and, inside a request, its id and that of its trace. */
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

/**
 * An error as it is told: what it is, what made it, and where. Nothing else that hangs on it: drivers hang there the whole request
 * or document that they had in hand, with whatever members wrote.
 */
function toldError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { type, message, stack, code } = pino.stdSerializers.err(error);
  const several = error instanceof AggregateError && { aggregateErrors: error.errors.map(toldError) };
  return { type, message, stack, code, ...several };
}

/** Creates the logger of a part: JSON lines on standard output, secrets and personal data left out wherever they hide. */
export function createLogger(name: string, level: string, destination?: DestinationStream): Logger {
  const options = {
    name,
    level,
    base: { part: name },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: { err: toldError },
    redact: { paths: hidden.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '[hidden]' },
    mixin: () => {
      const requestId = currentRequestId();
      const traceId = currentTraceId();
      return { ...(requestId && { request_id: requestId }), ...(traceId && { trace_id: traceId }) };
    },
  };
  return destination ? pino(options, destination) : pino(options);
}
