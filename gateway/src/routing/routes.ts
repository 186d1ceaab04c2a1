import type { Routes } from './route-table.ts';
import { serviceRoutes } from './service-routes.ts';

const get = ['GET'] as const;
const post = ['POST'] as const;
const both = ['GET', 'POST'] as const;

/** Paths that no service declares as an endpoint: the authorization server, its pages, files, webhooks and the WebSocket. */
const otherRoutes: Routes = {
  '/.well-known/openid-configuration': { service: 'auth', methods: get, access: 'public' },
  '/.well-known/oauth-authorization-server': { service: 'auth', methods: get, access: 'public' },
  '/.well-known/assetlinks.json': { service: 'auth', methods: get, access: 'public' },
  '/.well-known/apple-app-site-association': { service: 'auth', methods: get, access: 'public' },
  '/jwks': { service: 'auth', methods: get, access: 'public' },
  '/authorize': { service: 'auth', methods: both, access: 'public', page: true },
  '/par': { service: 'auth', methods: post, access: 'public' },
  '/authorize/{uid}': { service: 'auth', methods: get, access: 'public', page: true },
  '/login/{uid}': { service: 'auth', methods: both, access: 'public', page: true },
  '/login/{uid}/*': { service: 'auth', methods: both, access: 'public', page: true },
  '/identity/callback': { service: 'auth', methods: both, access: 'public', page: true },
  '/account': { service: 'auth', methods: both, access: 'public', page: true },
  '/account/password': { service: 'auth', methods: both, access: 'public', page: true },
  '/account/two-step': { service: 'auth', methods: both, access: 'public', page: true },
  '/account/passkeys': { service: 'auth', methods: both, access: 'public', page: true },
  '/account/email': { service: 'auth', methods: both, access: 'public', page: true },
  '/account/export': { service: 'auth', methods: both, access: 'public', page: true },
  '/account/delete': { service: 'auth', methods: both, access: 'public', page: true },
  '/two-step/{token}': { service: 'auth', methods: both, access: 'public', page: true },
  '/passkey/{token}': { service: 'auth', methods: both, access: 'public', page: true },
  '/password/{token}': { service: 'auth', methods: both, access: 'public', page: true },
  '/password/{token}/cancel': { service: 'auth', methods: both, access: 'public', page: true },
  '/device/{token}': { service: 'auth', methods: both, access: 'public', page: true },
  '/email/{token}/revert': { service: 'auth', methods: both, access: 'public', page: true },
  '/email/{token}': { service: 'auth', methods: both, access: 'public', page: true },
  '/appeal/{token}': { service: 'auth', methods: both, access: 'public', page: true },
  '/digest/{token}': { service: 'auth', methods: both, access: 'public', page: true },
  '/session/*': { service: 'auth', methods: both, access: 'public', page: true },
  '/token': { service: 'auth', methods: post, access: 'public' },
  '/revoke': { service: 'auth', methods: post, access: 'public' },
  '/photos/{file}': { service: 'profile', methods: get, access: 'public' },
  '/photos/private/{file}': { service: 'profile', methods: get, access: 'public' },
  '/packages/webhook/{provider}': { service: 'billing', methods: post, access: 'public' },
  '/ws/updates': { service: 'updates', methods: get, access: 'public', webSocket: true },
};

/** Every public path. All other paths are 404, including /internal. */
export const routes: Routes = { ...serviceRoutes, ...otherRoutes };
