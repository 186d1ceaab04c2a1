import { isOffered } from '../accounts/identities/identity-providers.ts';
import type { Identity } from '../accounts/identities/identity-store.ts';
import type { SignInContext } from './sign-in-context.ts';

/**
 * Counts a new way to sign in, of which a notice is mailed. Somebody who adds and removes them would fill the queue of mails, and hide
 * the notice that matters. 0 when it may be added, else the seconds to wait.
 */
export const secondsToAdd = (memberId: string, { accounts }: SignInContext): Promise<number> =>
  accounts.attempts.count('addedWayIn', memberId);

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
  // A provider that was taken away from the site signs nobody in.
  const works = ({ provider }: Identity) => {
    const settings = identities.providers.get(provider)?.provider;
    return settings !== undefined && isOffered(settings, account?.siteid);
  };
  const isLeft = account?.password_hash !== undefined || account?.passkeys?.length || linked.some(works);
  if (!isLeft) await putBack();
  return Boolean(isLeft);
}
