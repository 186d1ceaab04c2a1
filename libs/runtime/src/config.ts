import { readFileSync } from 'node:fs';
import { internalCallers, type InternalCaller } from '@covalence/contract/internal/callers';
import { parseSites, type Sites } from '@covalence/contract/sites';
import { z } from 'zod';
import { ConfigurationError } from './command-error.ts';
import { errorText } from './error-text.ts';
import { withoutEmptyVariables } from './environment.ts';
import { isServiceKey } from './service-keys.ts';

/** Settings of every service and the gateway. */
export const baseConfig = {
  /** Address and port of the service; 0 takes a free port. */
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65535),
  /** Port of health and metrics; never routed by the gateway. */
  MANAGEMENT_PORT: z.coerce.number().int().min(0).max(65535),
  /** Collector of traces, OTLP over HTTP, e.g. http://otel-collector:4318; without it nothing is traced. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** Share of the traces that are recorded, 0 to 1. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** Prefix of databases, queues, indices and keys, so that several stacks can share engines. */
  NAMESPACE: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,40}$/)
    .default('covalence'),
};

/** A setting that is a positive integer. */
export const positiveInteger = (standard: number) => z.coerce.number().int().positive().default(standard);

/** A setting that is a comma-separated list with at least one entry. */
export const listOf = <Entry extends z.ZodType<unknown, string>>(entry: Entry) =>
  z
    .string()
    .transform((text) => text.split(',').map((one) => one.trim()))
    .pipe(z.array(entry));

const publicKey = z
  .string()
  .transform((text) => text.split(':'))
  .pipe(
    z.tuple([z.enum(internalCallers), z.string().refine(isServiceKey)], {
      error: `must be caller:key, the caller one of ${internalCallers.join(', ')}`,
    }),
  )
  .transform(([caller, key]): PublicServiceKey => ({ caller, key }));

/** The public key of a caller of /internal endpoints. */
export interface PublicServiceKey {
  readonly caller: InternalCaller;
  /** 32 bytes as base64url. */
  readonly key: string;
}

/** The keys of calls between services: a service's own private keys and everyone's public keys. */
export const serviceKeys = {
  /** The service's own private keys, separated by commas: the first signs its calls of other services. */
  SERVICE_SECRET: listOf(
    z.string().refine(isServiceKey, 'must be keys from covalence credentials, separated by commas'),
  ),
  /** The public keys of all callers as `caller:key`, separated by commas; a caller may have several. */
  SERVICE_PUBLIC_KEYS: listOf(publicKey),
};

/** The problems of a file, one per line; other errors unchanged. */
export const problemText = (error: unknown): string =>
  error instanceof z.ZodError ? z.prettifyError(error) : errorText(error);

/** Content at a path that is read and checked at start; its problems are reported with the setting. */
export function settingAt<T>(read: (path: string) => T) {
  return z.string().transform((path, context): T => {
    try {
      return read(path);
    } catch (error) {
      context.addIssue({ code: 'custom', message: problemText(error) });
      return z.NEVER;
    }
  });
}

/** A JSON file by its path, read and checked at start. */
export function jsonFile<T>(parse: (data: unknown) => T) {
  return settingAt((path) => parse(JSON.parse(readFileSync(path, 'utf8'))));
}

/** The sites file. */
export const sitesFile = jsonFile<Sites>(parseSites);

/** Reads an environment into a typed object; an empty variable counts as not set. Throws a ConfigurationError. */
function parseConfig<Schema extends z.ZodType>(
  schema: Schema,
  environment: NodeJS.ProcessEnv,
): z.output<Schema> {
  const parsed = schema.safeParse(withoutEmptyVariables(environment));
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new ConfigurationError(`The configuration is not valid:\n${lines.join('\n')}`);
}

/**
 * Reads the environment of a process. On a bad environment prints every problem, one line each, and exits with code 78
 * (EX_CONFIG).
 */
export function readConfig<Schema extends z.ZodType>(
  schema: Schema,
  environment: NodeJS.ProcessEnv,
): z.output<Schema> {
  try {
    return parseConfig(schema, environment);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(error.exitCode);
  }
}

/**
 * Reads the environment of a service for one of its commands, which does not listen and therefore needs no ports. Throws a
 * ConfigurationError.
 */
export function readToolConfig<Schema extends z.ZodType>(
  schema: Schema,
  environment: NodeJS.ProcessEnv,
): z.output<Schema> {
  return parseConfig(schema, {
    PORT: '0',
    MANAGEMENT_PORT: '0',
    LOG_LEVEL: 'warn',
    ...withoutEmptyVariables(environment),
  });
}
