import { routes as auth } from '@covalence/auth/routes';
import { routes as billing } from '@covalence/billing/routes';
import type { ServiceName } from '@covalence/gateway/routing/route-table';
import type { AnyEndpoint } from '@covalence/http/endpoint';
import { publicRoutes as profile, staffRoutes } from '@covalence/profile/routes';
import { routes as search } from '@covalence/search/routes';
import { routes as updates } from '@covalence/updates/routes';

/** The public endpoints of each service by method and path, from the service's own table. */
export const tables: Readonly<Record<ServiceName, Readonly<Record<string, AnyEndpoint<never>>>>> = {
  profile: { ...profile, ...staffRoutes },
  search,
  billing,
  updates,
  auth,
};

/** An Express pattern as OpenAPI writes it: /users/:profileid is /users/{profileid}. */
export const openApiPath = (route: string) => route.replaceAll(/:(\w+)/g, '{$1}');

/** Every public endpoint by method and path. */
export const endpoints: ReadonlyMap<string, AnyEndpoint<never>> = new Map(
  Object.values(tables).flatMap((table) => Object.entries(table)),
);
