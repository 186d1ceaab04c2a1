import { eraseMember } from '@covalence/contract/peers/privacy-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import { checkTokens } from '../accounts/identities/provider-tokens.ts';
import { factorKey } from '../accounts/second-factors.ts';
import { mailKey, mailPurposes } from '../accounts/attempts-store.ts';
import type { SignInContext } from '../sign-in/sign-in-context.ts';
import { revokeFamiliesOf } from '../tokens/families/revoke-families.ts';

/** POST /internal/members/erase: deletes account, names, families and sessions; frees the names. Idempotent. */
export const erase = serviceEndpoint(eraseMember, async ({ member_id }, context: SignInContext) => {
  const { accounts, tokens } = context;
  await checkTokens((await accounts.find(member_id))?.identities ?? [], context);
  await accounts.erase(member_id);
  // After the account, which could still sign in without its names.
  await accounts.claims.releaseAll(member_id);
  await revokeFamiliesOf(member_id, undefined, context);
  await tokens.families.erase(member_id);
  await Promise.all([
    tokens.sessions.eraseAccount(member_id),
    accounts.attempts.reset('account', member_id),
    ...(['account', 'appCode'] as const).map((kind) => accounts.attempts.reset(kind, factorKey(member_id))),
    accounts.attempts.reset('addedWayIn', member_id),
    ...mailPurposes.map((purpose) => accounts.attempts.reset('mailAccount', mailKey(purpose, member_id))),
  ]);
  return {};
});
