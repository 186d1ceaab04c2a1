import { loginKey } from '@covalence/contract/login-key';
import { dayMs } from '@covalence/contract/time';
import type { Addresses, PendingEmail, ProtectedEmail } from './account.ts';

/** Days for confirming a new address, and for reverting the change from the former one. */
export const changeDays = 7;

/** Protected addresses kept per account. When there are more, the oldest and the newest stay. */
export const maxProtected = 5;

/** Claims outlast their addresses by this time, so that nobody claims an address while it is being applied. */
const claimReserveMs = 60_000;

const expiryFrom = (now: Date): Date => new Date(now.getTime() + changeDays * dayMs);

/** Whether two texts are the same address. */
export const isSameEmail = (one: string, other: string): boolean => loginKey(one) === loginKey(other);

/** The pending address, if it can still be confirmed. */
export const pendingOf = ({ pending_email: pending }: Addresses, now: Date): PendingEmail | undefined =>
  pending && pending.until > now ? pending : undefined;

/** The protected addresses that have not expired, oldest first. */
export const protectedOf = ({ protected_emails: all = [] }: Addresses, now: Date): ProtectedEmail[] =>
  all.filter(({ until }) => until > now);

/** Recipient of the mail for a new password: the oldest protected address, else the current one. */
export const resetAddress = (addresses: Addresses, now: Date): string =>
  protectedOf(addresses, now)[0]?.email ?? addresses.email;

/** Recipients of security notices: the current address and the recipient of password mails. */
export function noticeAddresses(addresses: Addresses, now: Date): string[] {
  const guard = resetAddress(addresses, now);
  return isSameEmail(guard, addresses.email) ? [addresses.email] : [guard, addresses.email];
}

/** Every address that stays claimed for the account. */
export function claimedEmails(addresses: Addresses, now: Date): string[] {
  const before = new Date(now.getTime() - claimReserveMs);
  const pending = pendingOf(addresses, before);
  return [
    addresses.email,
    ...(pending ? [pending.email] : []),
    ...protectedOf(addresses, before).map(({ email }) => email),
  ];
}

/** When the first pending or protected address expires. */
export function firstExpiry({
  pending_email: pending,
  protected_emails: all = [],
}: Addresses): Date | undefined {
  const times = [...(pending ? [pending] : []), ...all].map(({ until }) => until.getTime());
  return times.length ? new Date(Math.min(...times)) : undefined;
}

/** Without addresses that have expired and are no longer claimed. */
export function withoutExpired(addresses: Addresses, now: Date): Addresses {
  const before = new Date(now.getTime() - claimReserveMs);
  return {
    ...addresses,
    pending_email: pendingOf(addresses, before),
    protected_emails: protectedOf(addresses, before),
  };
}

/** Drops the middle of a list that is too long: the oldest address outranks all, the newest reverts the last change. */
const bounded = (list: readonly ProtectedEmail[]): ProtectedEmail[] =>
  list.length > maxProtected ? [...list.slice(0, 1), ...list.slice(1 - maxProtected)] : [...list];

/** A request for another address. */
export interface EmailRequest {
  readonly email: string;
  readonly family?: string | undefined;
  /** Random id for a new protection; an unused existing protection keeps its own. */
  readonly id: string;
  /** The owner asks, for certain: the current address is not protected. */
  readonly isOwners?: boolean;
}

/** After a request: the new address replaces the pending one, and the current address is protected unless the owner asks. */
export function requested(
  addresses: Addresses,
  { email, family, id, isOwners }: EmailRequest,
  now: Date,
): Addresses {
  const until = expiryFrom(now);
  if (isOwners) return { ...addresses, pending_email: { email, until, family, by_owner: true } };
  const all = protectedOf(addresses, now);
  const known = all.find((one) => isSameEmail(one.email, addresses.email));
  const renewed: ProtectedEmail =
    known && !known.reverted_at ? { ...known, until } : { id, email: addresses.email, until };
  const list = known ? all.map((one) => (one === known ? renewed : one)) : bounded([...all, renewed]);
  return { ...addresses, pending_email: { email, until, family }, protected_emails: list };
}

/** After a request for the current address, possibly in another spelling: nothing is pending. */
export const withdrawn = (addresses: Addresses, email: string): Addresses => ({
  ...addresses,
  email,
  pending_email: undefined,
});

/**
 * After the pending address was confirmed; undefined when it is not pending. A return to a protected address ends its
 * protection and that of every newer one. Otherwise the former address is protected from now on, unless the owner asked: then none is.
 */
export function applied(addresses: Addresses, email: string, now: Date): Addresses | undefined {
  const pending = pendingOf(addresses, now);
  if (!pending || !isSameEmail(pending.email, email)) return undefined;
  const all = protectedOf(addresses, now);
  const back = all.findIndex((one) => isSameEmail(one.email, pending.email));
  const until = expiryFrom(now);
  if (pending.by_owner) return { email: pending.email, email_confirmed_at: now, protected_emails: [] };
  const list =
    back >= 0
      ? all.slice(0, back)
      : all.map((one) => (isSameEmail(one.email, addresses.email) ? { ...one, until } : one));
  return { email: pending.email, email_confirmed_at: now, protected_emails: list };
}

/** After the revert link of a protected address was used; undefined when it was before, or the address is no longer protected. */
export function reverted(addresses: Addresses, id: string, now: Date): Addresses | undefined {
  const all = protectedOf(addresses, now);
  const at = all.findIndex((one) => one.id === id);
  const found = all[at];
  if (!found || found.reverted_at) return undefined;
  return {
    email: found.email,
    email_confirmed_at: now,
    protected_emails: [...all.slice(0, at), { ...found, reverted_at: now }],
  };
}
