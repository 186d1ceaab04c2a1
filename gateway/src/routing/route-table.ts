import { bodyLimits } from '@covalence/contract/body-limits';
import { badRequest } from '@covalence/contract/failure';
import type { Access } from '@covalence/http/endpoint';
import { byPath } from '@covalence/http/route-order';
import type { IncomingMessage } from 'node:http';

/** A service behind the gateway. */
export type ServiceName = 'auth' | 'profile' | 'search' | 'billing' | 'updates';

/** HTTP methods of routes. GET includes HEAD; the gateway answers OPTIONS. */
export type RouteMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** The service of a path, and who may call it. */
export interface RouteEntry {
  readonly service: ServiceName;
  readonly methods: readonly RouteMethod[];
  readonly access: Exclude<Access, 'service'>;
  /** Largest body in bytes; `bodyLimits.standard` by default. */
  readonly bodyLimit?: number;
  /** A WebSocket endpoint: it accepts upgrades only. */
  readonly webSocket?: true;
  /** A page for browsers: no other origin may read it (RFC 9700, 2.6). */
  readonly page?: true;
}

/** Routes by path pattern: `{name}` matches one segment, a trailing `*` one or more. */
export type Routes = Readonly<Record<`/${string}`, RouteEntry>>;

/** A route and its path pattern, its name in metrics. */
export interface Route extends RouteEntry {
  readonly path: string;
  readonly bodyLimit: number;
}

/** Finds the route of a path. */
export type RouteTable = ReturnType<typeof createRouteTable>;

/**
 * Spellings that a service might parse to another path than the gateway: dot segments, empty segments, backslashes, a fragment, and
 * percent-encoded separators or NUL. They match no route.
 */
const ambiguous = /\/\/|\\|#|%2f|%5c|%00|\/(?:\.|%2e){1,2}(?:\/|$)/i;

const patternOf = (path: string): RegExp => {
  const parts = path.split('/').map((part) => {
    if (part === '*') return '.+';
    return part.startsWith('{') ? '[^/]+' : part.replaceAll('.', String.raw`\.`);
  });
  return new RegExp(`^${parts.join('/')}$`);
};

/** Creates the lookup: literal paths by name, patterns in the order in which services mount their routes. */
export function createRouteTable(entries: Routes) {
  const fixed = new Map<string, Route>();
  const patterns: { pattern: RegExp; route: Route }[] = [];
  for (const [path, entry] of Object.entries(entries).toSorted(([one], [other]) => byPath(one, other))) {
    const route = { path, bodyLimit: bodyLimits.standard, ...entry };
    if (/[{*]/.test(path)) patterns.push({ pattern: patternOf(path), route });
    else fixed.set(path, route);
  }
  return {
    /** The route of a path without query; undefined if there is none. */
    find(path: string): Route | undefined {
      if (ambiguous.test(path)) return undefined;
      return fixed.get(path) ?? patterns.find(({ pattern }) => pattern.test(path))?.route;
    },
  };
}

/**
 * The path of a request without its query, as sent. Rewrites the target in place: an absolute form (RFC 9112, 3.2.2) to origin form, and
 * without a trailing slash. Throws 400 for any other target.
 */
export function pathOf(request: IncomingMessage): string {
  const target = request.url ?? '';
  if (!target.startsWith('/')) {
    const url = /^https?:\/\//i.test(target) && URL.parse(target);
    if (!url) throw badRequest();
    request.url = url.pathname + url.search;
  }
  const url = request.url ?? '';
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  if (!/[^/]\/$/.test(path)) return path;
  request.url = path.slice(0, -1) + url.slice(path.length);
  return path.slice(0, -1);
}
