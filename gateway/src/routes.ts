import { bodyLimits } from '@covalence/contract/body-limits';
import type { Access } from '@covalence/http/endpoint';

/** The services behind the gateway. */
export const services = ['auth', 'profile', 'search', 'billing', 'updates'] as const;

/** One of the services behind the gateway. */
export type ServiceName = (typeof services)[number];

/** HTTP methods of routes. GET includes HEAD; the gateway answers OPTIONS. */
export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The service of a path, and who may call it. */
export interface RouteEntry {
  readonly service: ServiceName;
  readonly methods: readonly RouteMethod[];
  readonly access: Exclude<Access, 'service'>;
  /** Largest body in bytes; default 1 MiB. */
  readonly bodyLimit?: number;
  /** A WebSocket endpoint: it accepts upgrades only. */
  readonly webSocket?: true;
  /** A page for browsers: no other origin may read it (RFC 9700, 2.6). */
  readonly page?: true;
}

const get = ['GET'] as const;
const post = ['POST'] as const;
const both = ['GET', 'POST'] as const;
const remove = ['DELETE'] as const;
const all = ['GET', 'POST', 'DELETE'] as const;

/** Every public path. `{name}` matches one segment, a trailing `*` one or more. Nothing else is reachable, least of all /internal. */
export const routes: Readonly<Record<`/${string}`, RouteEntry>> = {
  '/.well-known/openid-configuration': { service: 'auth', methods: get, access: 'public' },
  '/.well-known/oauth-authorization-server': { service: 'auth', methods: get, access: 'public' },
  '/jwks': { service: 'auth', methods: get, access: 'public' },
  '/authorize': { service: 'auth', methods: both, access: 'public', page: true },
  '/authorize/{uid}': { service: 'auth', methods: get, access: 'public', page: true },
  '/login/{uid}': { service: 'auth', methods: both, access: 'public', page: true },
  '/login/{uid}/*': { service: 'auth', methods: both, access: 'public', page: true },
  '/account/password': { service: 'auth', methods: both, access: 'public', page: true },
  '/password/{token}': { service: 'auth', methods: both, access: 'public', page: true },
  '/device/{token}': { service: 'auth', methods: both, access: 'public', page: true },
  '/email/{token}/revert': { service: 'auth', methods: both, access: 'public', page: true },
  '/email/{token}': { service: 'auth', methods: both, access: 'public', page: true },
  '/session/everywhere': { service: 'auth', methods: post, access: 'member' },
  '/session/*': { service: 'auth', methods: both, access: 'public', page: true },
  '/token': { service: 'auth', methods: post, access: 'public' },
  '/revoke': { service: 'auth', methods: post, access: 'public' },

  '/members': { service: 'profile', methods: post, access: 'public' },
  '/members/self': { service: 'profile', methods: ['POST', 'DELETE'], access: 'member' },
  '/members/self/export': { service: 'profile', methods: get, access: 'member' },
  '/members/self/activity': { service: 'profile', methods: get, access: 'member' },
  '/members/self/activity/{page}': { service: 'profile', methods: get, access: 'member' },
  '/members/self/activity/reset/{page}': { service: 'profile', methods: post, access: 'member' },
  '/members/self/photosharing': { service: 'profile', methods: post, access: 'member' },
  '/users/{profileid}': { service: 'profile', methods: get, access: 'member' },
  '/like': { service: 'profile', methods: post, access: 'member' },
  '/unlike': { service: 'profile', methods: post, access: 'member' },
  '/decline': { service: 'profile', methods: post, access: 'member' },
  '/block': { service: 'profile', methods: post, access: 'member' },
  '/unblock': { service: 'profile', methods: post, access: 'member' },
  '/recordaffiliatehit': { service: 'profile', methods: both, access: 'public' },
  '/questions': { service: 'profile', methods: get, access: 'optional' },
  '/reasons/profile/delete': { service: 'profile', methods: get, access: 'member' },
  '/photo': { service: 'profile', methods: all, access: 'member', bodyLimit: bodyLimits.photo },
  '/photo/primary': { service: 'profile', methods: post, access: 'member' },
  '/photo/{photoid}': { service: 'profile', methods: remove, access: 'member' },
  '/updatephotoorder': { service: 'profile', methods: post, access: 'member' },
  '/report': { service: 'profile', methods: post, access: 'member' },
  '/staff/queue': { service: 'profile', methods: get, access: 'staff' },
  '/staff/members/{id}': { service: 'profile', methods: get, access: 'staff' },
  '/staff/members/{id}/history': { service: 'profile', methods: get, access: 'staff' },
  '/staff/members/{id}/evidence': { service: 'profile', methods: get, access: 'staff' },
  '/staff/evidence/{evidenceid}': { service: 'profile', methods: get, access: 'staff' },
  '/staff/members/{id}/{action}': { service: 'profile', methods: post, access: 'staff' },
  '/staff/members/{id}/texts/{field}/{action}': { service: 'profile', methods: post, access: 'staff' },
  '/staff/photos/{photoid}/{action}': { service: 'profile', methods: post, access: 'staff' },
  '/staff/reports/{reportid}/close': { service: 'profile', methods: post, access: 'staff' },
  '/messages': { service: 'profile', methods: both, access: 'member' },
  '/messages/{profileid}': { service: 'profile', methods: ['GET', 'DELETE'], access: 'member' },
  '/messages/{profileid}/read': { service: 'profile', methods: post, access: 'member' },
  '/messages/{profileid}/{messageid}': { service: 'profile', methods: ['DELETE'], access: 'member' },
  '/pass': { service: 'profile', methods: post, access: 'member' },
  '/photos/{file}': { service: 'profile', methods: get, access: 'public' },
  '/photos/private/{file}': { service: 'profile', methods: get, access: 'public' },

  '/searches': { service: 'search', methods: both, access: 'member' },
  '/searches/questions': { service: 'search', methods: get, access: 'member' },
  '/searches/saved': { service: 'search', methods: both, access: 'member' },
  '/searches/saved/{id}': { service: 'search', methods: ['GET', 'POST', 'DELETE'], access: 'member' },
  '/searches/saved/{id}/run': { service: 'search', methods: post, access: 'member' },
  '/search': { service: 'search', methods: post, access: 'member' },
  '/members/self/criteria': { service: 'search', methods: both, access: 'member' },
  '/members/self/matchcriteria': { service: 'search', methods: post, access: 'member' },

  '/packages': { service: 'billing', methods: get, access: 'member' },
  '/packages/purchase': { service: 'billing', methods: post, access: 'member' },
  '/packages/cancel': { service: 'billing', methods: post, access: 'member' },
  '/packages/webhook/{provider}': { service: 'billing', methods: post, access: 'public' },
  '/staff/memberships/{member}': { service: 'billing', methods: get, access: 'staff' },
  '/staff/memberships/{member}/correct': { service: 'billing', methods: post, access: 'staff' },

  '/webpush': { service: 'updates', methods: all, access: 'member' },
  '/ws/updates': { service: 'updates', methods: get, access: 'public', webSocket: true },
};
