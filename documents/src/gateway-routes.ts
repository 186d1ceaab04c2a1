import type { RouteEntry, RouteMethod, Routes } from '@covalence/gateway/routing/route-table';
import { openApiPath, tables } from './openapi/route-tables.ts';

type Path = keyof Routes;

const methodOrder = ['GET', 'POST', 'PATCH', 'DELETE'] as const satisfies readonly RouteMethod[];

/** The gateway's routes to the endpoints of the services. Throws where the methods of a path differ in access. */
function serviceRoutes(): Routes {
  const routes: Record<Path, RouteEntry> = {};
  for (const [service, table] of Object.entries(tables) as [keyof typeof tables, (typeof tables)['auth']][]) {
    for (const [route, { access, bodyLimit }] of Object.entries(table)) {
      const [method, path] = openApiPath(route).split(' ') as [RouteMethod, Path];
      const known = routes[path];
      if (access === 'service' || (known && known.access !== access))
        throw new Error(`${route}: access ${access} does not fit the gateway's route ${path}`);
      const limit = bodyLimit ?? known?.bodyLimit;
      const methods = methodOrder.filter((one) => one === method || known?.methods.includes(one));
      routes[path] = { service, methods, access, ...(limit !== undefined && { bodyLimit: limit }) };
    }
  }
  return routes;
}

const quoted = (text: string) => `'${text}'`;

const line = ([path, { service, methods, access, bodyLimit }]: [string, RouteEntry]) => {
  const limit = bodyLimit === undefined ? '' : `, bodyLimit: ${bodyLimit}`;
  return `  ${quoted(path)}: { service: ${quoted(service)}, methods: [${methods.map(quoted).join(', ')}], access: ${quoted(access)}${limit} },`;
};

/** The source of the gateway's `service-routes.ts`. */
export const gatewayRoutes =
  (): string => `// Written by \`pnpm contracts\` from the routes of the services. Do not edit.
import type { Routes } from './route-table.ts';

/** The routes to the endpoints of the services. */
export const serviceRoutes: Routes = {
${Object.entries(serviceRoutes()).map(line).join('\n')}
};
`;
