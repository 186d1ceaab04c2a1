import type { SignInContext } from './sign-in-context.ts';

/**
 * Removes a way to sign in, and puts it back when nothing else signs the member in. Of two that are removed at once, at least one
 * stays. False when it stays.
 */
export async function removeWayIn(
  memberId: string,
  { remove, putBack }: { readonly remove: () => Promise<void>; readonly putBack: () => Promise<unknown> },
  { accounts, identities }: SignInContext,
): Promise<boolean> {
  await remove();
  const [account, linked] = await Promise.all([accounts.find(memberId), identities.store.of(memberId)]);
  const isLeft = account?.password_hash !== undefined || account?.passkeys?.length || linked.length;
  if (!isLeft) await putBack();
  return Boolean(isLeft);
}
