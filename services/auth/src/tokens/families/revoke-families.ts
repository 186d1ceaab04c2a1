import { endedSeconds } from '@covalence/contract/redis-keys';
import type { Clock } from '@covalence/runtime/clock';
import type { Logger } from '@covalence/runtime/logger';
import type { FamilyStore, RevokedFamily } from './family-store.ts';
import type { RevocationStore } from './revocation-store.ts';

/** Dependencies of revoking families. */
export interface RevokeContext {
  readonly tokens: { readonly families: FamilyStore; readonly revocations: RevocationStore };
  readonly logger: Logger;
  readonly now: Clock;
}

const named = ({ _id, subject }: RevokedFamily) => ({ id: _id, member: subject?.id ?? 0 });

/** Revokes access tokens in Redis; when it is down, repeatRevocations() catches up from MongoDB. */
async function revokeTokens(
  families: readonly RevokedFamily[],
  { tokens, logger }: Omit<RevokeContext, 'now'>,
): Promise<void> {
  await tokens.revocations
    .revokeFamilies(families.map(named))
    .catch((error: unknown) => logger.warn({ err: error }, 'revoking tokens failed: will retry'));
}

/** Revokes a family with its refresh and access tokens. Idempotent. */
export async function revokeFamily(id: string, context: RevokeContext): Promise<void> {
  const revoked = await context.tokens.families.revoke(id, context.now());
  if (revoked) await revokeTokens([revoked], context);
}

/** Revokes every family of an account except the family `kept`. Idempotent. */
export async function revokeFamiliesOf(
  accountId: string,
  kept: string | undefined,
  context: RevokeContext,
): Promise<void> {
  await revokeTokens(await context.tokens.families.revokeAll(accountId, kept, context.now()), context);
}

/** Repeats recent revocations in Redis: it may have been down, or have lost them. */
export async function repeatRevocations({ tokens, now }: RevokeContext): Promise<void> {
  const since = new Date(now().getTime() - endedSeconds * 1000);
  await tokens.revocations.revokeFamilies((await tokens.families.revokedSince(since)).map(named));
  await tokens.families.purge(now(), since);
}
