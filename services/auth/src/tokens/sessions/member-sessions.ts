import { notFound } from '@covalence/contract/failure';
import type { ClientStore } from '../../clients/client-store.ts';
import { clientOf, type Family } from '../families/family-store.ts';
import { revokeFamily, type RevokeContext } from '../families/revoke-families.ts';
import type { SessionStore } from './session-store.ts';

/** Dependencies of the sessions of a member. */
export interface SessionsContext extends RevokeContext {
  readonly tokens: RevokeContext['tokens'] & { readonly sessions: SessionStore };
  readonly clients: ClientStore;
}

const lastUse = ({ checked_at, begun_at }: Family) => checked_at ?? begun_at;

const sessionView = async (family: Family, { clients }: SessionsContext) => {
  const client_id = clientOf(family);
  return {
    id: family._id,
    client_id,
    client: (await clients.find(client_id))?.name ?? null,
    platform: family.platform ?? null,
    device_name: family.device_name ?? null,
    since: family.begun_at.toISOString(),
    last_used: lastUse(family).toISOString(),
    until: family.expires_at.toISOString(),
  };
};

/** The sign-ins of apps that are valid, last used first. Their ids are no credentials. */
export async function sessionsOf(memberId: string, limit: number, context: SessionsContext) {
  const alive = await context.tokens.families.of(memberId, context.now());
  // Without a subject, the code was never exchanged.
  const used = alive.filter(({ subject }) => subject);
  const sorted = used.toSorted((one, other) => lastUse(other).getTime() - lastUse(one).getTime());
  return Promise.all(sorted.slice(0, limit).map((family) => sessionView(family, context)));
}

/**
 * Ends a sign-in of an app, and the session of the browser that it came from: otherwise the app would be signed in again
 * without a question. Throws 404 for an id of somebody else. Idempotent.
 */
export async function endSession(id: string, memberId: string, context: SessionsContext): Promise<void> {
  const { families, sessions } = context.tokens;
  const family = await families.find(id);
  if (family?.account_id !== memberId) throw notFound();
  await revokeFamily(id, context);
  if (family.browser !== undefined) await sessions.endBrowser(family.browser);
}
