import { routes as auth } from '@covalence/auth/routes';
import { routes as billing } from '@covalence/billing/routes';
import type { AnyEndpoint } from '@covalence/http/endpoint';
import { publicRoutes as profile, staffRoutes } from '@covalence/profile/routes';
import { routes as search } from '@covalence/search/routes';
import { routes as updates } from '@covalence/updates/routes';

/** An Express pattern as OpenAPI writes it: /users/:profileid is /users/{profileid}. */
export const openApiPath = (route: string) => route.replaceAll(/:(\w+)/g, '{$1}');

const isPublic = ([, { access }]: [string, AnyEndpoint<never>]) => access !== 'service';

/** Every endpoint that clients may call, from the services' own tables, by method and path as the tables write it. */
export const endpoints: ReadonlyMap<string, AnyEndpoint<never>> = new Map(
  [profile, search, billing, updates, staffRoutes, auth]
    .flatMap((table): [string, AnyEndpoint<never>][] => Object.entries(table))
    .filter(isPublic),
);
