import { notFound } from '@covalence/contract/failure';
import { settingsOf } from '../../clients/settings.ts';
import { endOf } from '../families/family-lifetime.ts';
import { clientOf, type ShownFamily } from '../families/family-store.ts';
import { revokeFamily, type TokensContext } from '../families/revoke-families.ts';
import type { SessionStore } from './session-store.ts';

/** Dependencies of sign-ins, of apps and in browsers. */
export interface SessionsContext extends TokensContext {
  readonly tokens: TokensContext['tokens'] & { readonly sessions: SessionStore };
}

const sessionView = async (family: ShownFamily, { clients }: SessionsContext) => {
  const client_id = clientOf(family);
  const client = await clients.find(client_id);
  return {
    id: family._id,
    client_id,
    client: client?.name ?? null,
    platform: family.platform ?? null,
    device_name: family.device_name ?? null,
    browser: family.browser_name ?? null,
    since: family.begun_at.toISOString(),
    last_used: (family.checked_at ?? family.begun_at).toISOString(),
    until: endOf(family, client && settingsOf(client)).toISOString(),
    /** `uid` of the browser session that it came from. */
    browser_session: family.browser,
  };
};

/** A sign-in of an app. */
export type MemberSession = Awaited<ReturnType<typeof sessionView>>;

/** The sign-ins of apps that are valid, last used first. Their ids are no credentials. */
export async function sessionsOf(
  memberId: string,
  limit: number,
  context: SessionsContext,
): Promise<MemberSession[]> {
  const now = context.clock();
  const families = await context.tokens.families.of(memberId, now, limit);
  const views = await Promise.all(families.map((family) => sessionView(family, context)));
  return views.filter(({ until }) => until > now.toISOString());
}

/**
 * Ends a sign-in of an app, and the session of the browser that it came from: otherwise the app would be signed in again
 * without a question. Throws 404 for an id of somebody else. Idempotent. Resolves to the `uid` of that browser session.
 */
export async function endSession(
  id: string,
  memberId: string,
  context: SessionsContext,
): Promise<{ readonly browser: string | undefined }> {
  const { families, sessions } = context.tokens;
  const family = await families.find(id);
  if (family?.account_id !== memberId) throw notFound();
  if (family.browser !== undefined) {
    await families.endBrowser(id);
    await sessions.endBrowser(family.browser);
  }
  await revokeFamily(id, context);
  return { browser: family.browser };
}
