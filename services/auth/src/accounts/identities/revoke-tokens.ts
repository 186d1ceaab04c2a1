import type { MayGoOn } from '@covalence/events/periodic';
import { minuteMs, hourMs, dayMs } from '@covalence/contract/time';
import { identityId } from './identity-store.ts';
import type { ProviderToken } from './provider-connection.ts';
import type { StoredToken } from './provider-token-store.ts';
import { openToken, sealedToken, secretOf, type IdentitiesContext } from './provider-tokens.ts';

/** Attempts are a minute apart, then twice as long each time, up to six hours. */
const longestDelayMs = 6 * hourMs;

/** Time after the first attempt in which a token is not given up. */
const giveUpMs = 7 * dayMs;

/** Tokens that a round seals with a new secret. */
const resealedPerRound = 1_000;

/** Whether the person of a token signs in to an account of any site. */
async function isNeeded(
  { provider, subject }: ProviderToken,
  { accounts, sites }: IdentitiesContext,
): Promise<boolean> {
  const ids = [...sites.keys()].map((siteid) => identityId(provider, siteid, subject));
  return accounts.identities.isLinked(ids);
}

/** Revokes a token, or begins to wait for the next attempt. False when its provider should be left alone for now. */
async function revoke(due: StoredToken, context: IdentitiesContext): Promise<boolean> {
  const { identities, keys, logger, metrics, clock } = context;
  const { tokens, providers } = identities;
  const { provider, attempts = 0, first_attempt_at = clock() } = due;
  const token = openToken(due, keys.seal);
  if (token && (await isNeeded(token, context))) {
    await tokens.setNeeded(due);
    return true;
  }
  if (clock().getTime() - first_attempt_at.getTime() > giveUpMs) {
    await tokens.remove(due);
    metrics.providerRevocations.inc({ outcome: 'given_up' });
    logger.error({ provider, attempts }, 'gave up revoking a token of a provider: removed it');
    return true;
  }
  const check_at = new Date(clock().getTime() + Math.min(minuteMs * 2 ** attempts, longestDelayMs));
  if (!(await tokens.beginAttempt(due, { attempts: attempts + 1, first_attempt_at, check_at }))) return true;
  try {
    const connection = providers.get(provider);
    if (!connection) throw new Error('the provider is not in IDENTITY_PROVIDERS');
    if (!token) throw new Error('no entry of AUTH_SECRET decrypts the token');
    await connection.revoke(token);
  } catch (error) {
    metrics.providerRevocations.inc({ outcome: 'failed' });
    logger.warn({ err: error, provider }, 'revoking a token of a provider failed: will retry');
    return false;
  }
  await tokens.remove(due);
  metrics.providerRevocations.inc({ outcome: 'revoked' });
  return true;
}

/** Seals tokens with the first entry of AUTH_SECRET, so that the other entries can be removed. */
async function reseal({ identities: { tokens }, keys: { seal } }: IdentitiesContext): Promise<void> {
  const secret = secretOf(seal);
  for (const stored of await tokens.sealedByOthers(secret, resealedPerRound)) {
    const token = openToken(stored, seal);
    await tokens.reseal(stored, token ? sealedToken(token, seal) : { secret });
  }
}

/** Revokes every token that no account needs anymore. A provider that fails is left alone until the next round. */
export async function revokeTokens(context: IdentitiesContext, mayGoOn: MayGoOn): Promise<void> {
  const { identities, clock } = context;
  await reseal(context);
  const failing: string[] = [];
  while (await mayGoOn()) {
    const due = await identities.tokens.firstDue(clock(), failing);
    if (!due) return;
    if (!(await revoke(due, context))) failing.push(due.provider);
  }
}
