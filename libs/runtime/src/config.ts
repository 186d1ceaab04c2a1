import { readFileSync } from 'node:fs';
import { internalCallers, type InternalCaller } from '@covalence/contract/peers/callers';
import { parseSites, type Sites } from '@covalence/contract/sites';
import { z } from 'zod';
import { mongodbUrl, publicAddresses, rabbitmqTopology, rabbitmqUrl } from './addresses.ts';
import { ConfigurationError } from './command-error.ts';
import { errorText } from './error-text.ts';
import { withoutEmptyVariables } from './environment.ts';
import { isServiceKey } from './service-keys.ts';

/** Settings of every service and the gateway. The descriptions of settings are the tables of docs/settings.md. */
export const baseConfig = {
  HOST: z.string().default('127.0.0.1').describe('address to listen on'),
  PORT: z.coerce.number().int().min(0).max(65535).describe('port to listen on; 0 takes a free one'),
  MANAGEMENT_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65535)
    .describe('port of health and metrics, which the gateway never routes to'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('trace collector, OTLP over HTTP, like `http://otel-collector:4318`'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('share of traces kept, 0 to 1'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('`trace`, `debug`, `info`, `warn`, `error` or `silent`'),
  NAMESPACE: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,40}$/)
    .default('covalence')
    .describe('prefix of databases, queues, indexes and keys, so that several systems can share engines'),
};

/** A setting that is an integer within limits. */
export const integer = ({ min, max, standard }: { min: number; max?: number; standard: number }) => {
  const atLeast = z.coerce.number().int().min(min);
  return (max === undefined ? atLeast : atLeast.max(max)).default(standard);
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
  SERVICE_SECRET: listOf(
    z.string().refine(isServiceKey, 'must be keys from covalence credentials, separated by commas'),
  ).describe('the private keys of its internal calls, by commas; the first signs'),
  SERVICE_PUBLIC_KEYS: listOf(publicKey).describe(
    '`caller:key` of all callers, by commas; a caller may have several',
  ),
};

/** Settings of every service. */
export const serviceConfig = { ...baseConfig, ...serviceKeys, ...publicAddresses };

/** Settings of a service with a database and events. */
export const storesConfig = {
  MONGODB_URL: mongodbUrl,
  RABBITMQ_URL: rabbitmqUrl,
  RABBITMQ_TOPOLOGY: rabbitmqTopology,
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
export const sitesFile = jsonFile<Sites>(parseSites).describe('the sites, like `config/sites.json`');

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
