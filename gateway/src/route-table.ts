import type { RouteEntry } from './routes.ts';

/** A route with the path pattern that names it in the metrics. */
export interface Route extends RouteEntry {
  readonly path: string;
}

/** Finds the route of a path. */
export interface RouteTable {
  /** The route of a request's path (no query), or undefined where there is none. */
  find(path: string): Route | undefined;
}

/**
 * Spellings that a service behind might read as another path than the gateway does: dot segments, empty segments,
 * backslashes, a fragment, and separators or NUL in percent-encoding. No route has them.
 */
const ambiguous = /\/\/|\\|#|%2f|%5c|%00|\/(?:\.|%2e){1,2}(?:\/|$)/i;

const patternOf = (path: string): RegExp => {
  const parts = path.split('/').map((part) => {
    if (part === '*') return '.+';
    return part.startsWith('{') ? '[^/]+' : part.replaceAll('.', String.raw`\.`);
  });
  return new RegExp(`^${parts.join('/')}$`);
};

/** Makes a table searchable: paths without parameters by name, the others in the order of the table. */
export function createRouteTable(entries: Readonly<Record<string, RouteEntry>>): RouteTable {
  const fixed = new Map<string, Route>();
  const patterns: { pattern: RegExp; route: Route }[] = [];
  for (const [path, entry] of Object.entries(entries)) {
    const route = { path, ...entry };
    if (/[{*]/.test(path)) patterns.push({ pattern: patternOf(path), route });
    else fixed.set(path, route);
  }
  return {
    find(path) {
      if (ambiguous.test(path)) return undefined;
      return fixed.get(path) ?? patterns.find(({ pattern }) => pattern.test(path))?.route;
    },
  };
}
