import { endedSeconds } from '@covalence/contract/redis-keys';
import type { AfterResponse } from '@covalence/http/after-response';
import type { Peer } from '@covalence/http/peer';
import { chunks } from '@covalence/runtime/chunks';
import type { ServiceBase } from '@covalence/runtime/service-base';
import { settle } from '@covalence/runtime/settle';
import type { AccountStore } from '../../accounts/account-store.ts';
import type { ClientStore } from '../../clients/client-store.ts';
import type { Seal } from '../../keys/seal.ts';
import type { FamilyStore, RevokedFamily } from './family-store.ts';
import type { RevocationStore } from './revocation-store.ts';

/** Dependencies of sign-ins of apps and their tokens. */
export interface TokensContext extends ServiceBase {
  readonly accounts: Pick<AccountStore, 'find' | 'setSignedOut'>;
  readonly clients: ClientStore;
  readonly tokens: { readonly families: FamilyStore; readonly revocations: RevocationStore };
  readonly keys: { readonly seal: Seal };
  readonly profile: Peer<'profile'>;
  /** Address of this server. */
  readonly issuer: string;
  readonly afterResponse: AfterResponse;
}

const named = ({ _id, subject }: RevokedFamily) => ({ id: _id, member: subject?.id ?? 0 });

/** Families of one call to profile. */
const perCall = 100;

/** Removes the devices that take push messages for these sign-ins. */
async function endPush(
  families: readonly RevokedFamily[],
  { profile }: Pick<TokensContext, 'profile'>,
): Promise<void> {
  const ofMembers = families.map(named).filter(({ member }) => member);
  const sign_ins = ofMembers.map(({ id: family, member: id }) => ({ id, family }));
  for (const some of chunks(sign_ins, perCall)) await profile.endPush({ sign_ins: some });
}

/**
 * Ends access tokens and sockets, and push messages after the response, which does not wait for profile. When Redis or profile
 * is down, repeatRevocations() and repeatPushEnds() catch up from MongoDB.
 */
async function revokeTokens(
  families: readonly RevokedFamily[],
  { tokens, profile, logger, afterResponse }: TokensContext,
): Promise<void> {
  const retried = (error: unknown) => logger.warn({ err: error }, 'revoking tokens failed: will retry');
  afterResponse.run(endPush(families, { profile }).catch(retried));
  await tokens.revocations.revokeFamilies(families.map(named)).catch(retried);
}

/** Revokes a family with its refresh and access tokens. Idempotent. */
export async function revokeFamily(id: string, context: TokensContext): Promise<void> {
  const revoked = await context.tokens.families.revoke(id, context.clock());
  if (revoked) await revokeTokens([revoked], context);
}

/** Revokes every family of an account except the family `kept`. Idempotent. */
export async function revokeFamiliesOf(
  accountId: string,
  kept: string | undefined,
  context: TokensContext,
): Promise<void> {
  await revokeTokens(await context.tokens.families.revokeAll(accountId, kept, context.clock()), context);
}

/** Repeats in Redis which sign-ins and browser sessions ended lately: it may have been down, or have lost that. */
export async function repeatRevocations(
  { tokens: { families, revocations }, clock }: TokensContext,
  endBrowser: (uid: string) => Promise<void>,
): Promise<void> {
  const since = new Date(clock().getTime() - endedSeconds * 1000);
  const revoked = await families.revokedSince(since);
  const browsers = revoked.flatMap(({ browser, browser_ended }) =>
    browser && browser_ended ? [browser] : [],
  );
  await settle([
    revocations.revokeFamilies(revoked.map(named)),
    ...browsers.map(endBrowser),
    families.purge(clock(), since),
  ]);
}

/** A device that was being added when its sign-in ended is stored by then. */
const settledMs = 30_000;

/** Ends the push messages of revoked sign-ins again: profile may have been down, or a device was being added. */
export async function repeatPushEnds(context: TokensContext): Promise<void> {
  const { families } = context.tokens;
  const before = new Date(context.clock().getTime() - settledMs);
  for (;;) {
    const due = await families.pushDue(before, perCall);
    await endPush(due, context);
    await families.pushEnded(due.map(({ _id }) => _id));
    if (due.length < perCall) return;
  }
}
