import { bodyLimits } from '@covalence/contract/body-limits';
import { badRequest, unsupportedMediaType } from '@covalence/contract/failure';
import { isMap } from '@covalence/contract/is-map';
import express, { type RequestHandler } from 'express';
import qs from 'qs';

/** Limits of nesting, parameters and list lengths of forms and query strings. */
const formLimits = { depth: 4, parameterLimit: 1_000, arrayLimit: 1_000, throwOnLimitExceeded: true };

/** Maximum nesting of a JSON body: deeper values could overflow the stack of code that walks them. */
const deepestBody = 32;

/** Maximum number of entries in a map or list of a JSON body; checking more takes seconds. */
const mostEntries = formLimits.parameterLimit;

function isTooLarge(value: unknown, levels = deepestBody): boolean {
  // Do not walk the bytes of a photo one by one.
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return false;
  const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
  return levels === 0 || inner.length > mostEntries || inner.some((one) => isTooLarge(one, levels - 1));
}

/** Parses a query string, which nests as forms do: `age[from]=25`. Throws 400 beyond the limits. */
export function parseQuery(query: string): unknown {
  try {
    return qs.parse(query, { ...formLimits, plainObjects: true });
  } catch (cause) {
    throw badRequest(cause);
  }
}

const unsupported: RequestHandler = (request, _response, next) => {
  const length = Number(request.headers['content-length'] ?? 0);
  const hasBody = length > 0 || request.headers['transfer-encoding'] !== undefined;
  next(hasBody && request.body === undefined ? unsupportedMediaType() : undefined);
};

const objectOnly: RequestHandler = (request, _response, next) => {
  const body: unknown = request.body;
  const isGood = body === undefined || (isMap(body) && !isTooLarge(body));
  next(isGood ? undefined : badRequest());
};

const form: RequestHandler = (request, _response, next) => {
  if (request.is('application/x-www-form-urlencoded') && typeof request.body === 'string') {
    request.body = parseQuery(request.body);
  }
  next();
};

/** Body parsers of every service: JSON or form with nested maps, both up to `limit` bytes. */
export function bodyParsers(limit: number = bodyLimits.standard): RequestHandler[] {
  const formText = express.text({ type: 'application/x-www-form-urlencoded', limit });
  return [express.json({ limit, strict: false }), formText, form, unsupported, objectOnly];
}
