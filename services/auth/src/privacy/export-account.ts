import { exportAccount } from '@covalence/contract/peers/privacy-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import { isoOrNull } from '@covalence/runtime/clock';
import { z } from 'zod';
import type { Account } from '../accounts/account.ts';
import { hasToken } from '../accounts/identities/provider-tokens.ts';
import type { SignInContext } from '../sign-in/sign-in-context.ts';
import { sessionsOf } from '../tokens/sessions/member-sessions.ts';

/** An account without secrets: whether it has a password, not the hash. */
const accountView = (account: Account) => ({
  siteid: account.siteid,
  username: account.username,
  pending_username: account.pending_username ?? null,
  email: account.email,
  email_confirmed_at: isoOrNull(account.email_confirmed_at),
  pending_email: account.pending_email?.email ?? null,
  protected_emails: (account.protected_emails ?? []).map(({ email, until }) => ({
    email,
    until: until.toISOString(),
  })),
  passkeys: (account.passkeys ?? []).map(({ name, created_at, last_used_at, backed_up }) => ({
    name,
    created_at: created_at.toISOString(),
    last_used_at: isoOrNull(last_used_at),
    backed_up,
  })),
  two_step: account.totp
    ? {
        since: account.totp.added_at.toISOString(),
        recovery_codes_left: account.recovery_codes?.length ?? 0,
      }
    : null,
  has_password: account.password_hash !== undefined,
  locale: account.locale ?? null,
  created_at: account.created_at.toISOString(),
  signed_out_at: isoOrNull(account.signed_out_at),
  recovered_at: isoOrNull(account.recovered_at),
  last_digest: isoOrNull(account.digest_due),
});

/** The exported part of the provider's sessions. */
const sessionPayload = z.object({ loginTs: z.number().optional() });

const since = (seconds: number | undefined): string | null =>
  seconds === undefined ? null : new Date(seconds * 1000).toISOString();

/** Sign-ins in an export: more than anybody has devices. */
const maxSignIns = 1_000;

/** POST /internal/members/export: exports the account without secrets, its accounts at providers, sign-ins and browser sessions. */
export const exportOf = serviceEndpoint(exportAccount, async ({ member_id }, context: SignInContext) => {
  const { accounts, tokens } = context;
  const [account, signIns, browsers] = await Promise.all([
    accounts.find(member_id),
    sessionsOf(member_id, maxSignIns, context),
    tokens.sessions.ofAccount(member_id, 'Session'),
  ]);
  return {
    account: account ? accountView(account) : null,
    sign_ins: signIns.map(({ id: _id, browser_session: _session, client, ...one }) => ({
      ...one,
      client_name: client,
    })),
    identities: await Promise.all(
      (account?.identities ?? []).map(async (identity) => ({
        provider: identity.provider,
        email: identity.email ?? null,
        linked_at: identity.linked_at.toISOString(),
        last_used_at: identity.last_used_at.toISOString(),
        has_refresh_token: await hasToken(identity, context),
      })),
    ),
    browser_sessions: browsers.map(({ payload }) => ({
      since: since(sessionPayload.parse(JSON.parse(payload)).loginTs),
    })),
  };
});
