import { loginKey } from '@covalence/contract/login-key';

const dayMs = 24 * 60 * 60 * 1000;

/** Days that a new address may be confirmed, and that the address before it can take the change back. */
export const changeDays = 7;

/** A new e-mail address that waits for its own link to be opened. */
export interface PendingEmail {
  readonly email: string;
  readonly until: Date;
  /** The family whose access token asked for it; applying it leaves that one signed in. */
  readonly family?: string | undefined;
}

/** An address that was in force when another one was asked for. Until then it gets the mails for a new password, and its link reverts the change. */
export interface ProtectedEmail {
  /** Random; what the link names. */
  readonly id: string;
  readonly email: string;
  readonly until: Date;
  /** When its link was used; the link then only leads to the password that is still to be chosen. */
  readonly reverted_at?: Date | undefined;
}

/** The e-mail addresses of an account. */
export interface Addresses {
  /** The one in force. */
  readonly email: string;
  readonly email_confirmed_at?: Date | undefined;
  readonly pending_email?: PendingEmail | undefined;
  /** Oldest first, at most `mostProtected`. */
  readonly protected_emails?: readonly ProtectedEmail[] | undefined;
}

/** Protected addresses that are kept; of more, the oldest and the newest stay. */
export const mostProtected = 5;

/** Names stay claimed this much longer than they can be applied, so that nobody takes one while that happens. */
const claimedLongerMs = 60_000;

const inDays = (now: Date): Date => new Date(now.getTime() + changeDays * dayMs);

/** Whether two texts are one address. */
export const isSameEmail = (one: string, other: string): boolean => loginKey(one) === loginKey(other);

/** The address that waits, if it may still be confirmed. */
export const pendingOf = ({ pending_email: pending }: Addresses, now: Date): PendingEmail | undefined =>
  pending && pending.until > now ? pending : undefined;

/** The addresses whose days are not over, oldest first. */
export const protectedOf = ({ protected_emails: all = [] }: Addresses, now: Date): ProtectedEmail[] =>
  all.filter(({ until }) => until > now);

/** Where a link for a new password goes: to the oldest protected address, else to the one in force. */
export const resetAddress = (addresses: Addresses, now: Date): string =>
  protectedOf(addresses, now)[0]?.email ?? addresses.email;

/** Who hears of changes to the account: the address in force, and the one that links for a new password go to. */
export function noticeAddresses(addresses: Addresses, now: Date): string[] {
  const guard = resetAddress(addresses, now);
  return isSameEmail(guard, addresses.email) ? [addresses.email] : [guard, addresses.email];
}

/** Every address that nobody else may take. */
export function claimedEmails(addresses: Addresses, now: Date): string[] {
  const before = new Date(now.getTime() - claimedLongerMs);
  const waiting = pendingOf(addresses, before);
  return [
    addresses.email,
    ...(waiting ? [waiting.email] : []),
    ...protectedOf(addresses, before).map(({ email }) => email),
  ];
}

/** When the first of the addresses beside the one in force expires. */
export function firstExpiry({
  pending_email: pending,
  protected_emails: all = [],
}: Addresses): Date | undefined {
  const times = [...(pending ? [pending] : []), ...all].map(({ until }) => until.getTime());
  return times.length ? new Date(Math.min(...times)) : undefined;
}

/** Without what has expired and is not claimed any more. */
export function withoutExpired(addresses: Addresses, now: Date): Addresses {
  const before = new Date(now.getTime() - claimedLongerMs);
  return {
    ...addresses,
    pending_email: pendingOf(addresses, before),
    protected_emails: protectedOf(addresses, before),
  };
}

/** The list without its middle where it is too long: the oldest one outranks all, the newest can revert the last change. */
const bounded = (list: readonly ProtectedEmail[]): ProtectedEmail[] =>
  list.length > mostProtected ? [...list.slice(0, 1), ...list.slice(1 - mostProtected)] : [...list];

/** A change that was asked for: what waits replaces what waited before, and the address in force is protected. */
export interface Request {
  readonly email: string;
  readonly family?: string | undefined;
  /** Random id of the protection; one that exists, and was not used, keeps its own. */
  readonly id: string;
}

/** After a request for another address. */
export function requested(addresses: Addresses, { email, family, id }: Request, now: Date): Addresses {
  const until = inDays(now);
  const all = protectedOf(addresses, now);
  const known = all.find((one) => isSameEmail(one.email, addresses.email));
  const renewed: ProtectedEmail =
    known && !known.reverted_at ? { ...known, until } : { id, email: addresses.email, until };
  const list = known ? all.map((one) => (one === known ? renewed : one)) : bounded([...all, renewed]);
  return { ...addresses, pending_email: { email, until, family }, protected_emails: list };
}

/** After the current address, perhaps in other letters, was asked for: nothing waits any more. */
export const withdrawn = (addresses: Addresses, email: string): Addresses => ({
  ...addresses,
  email,
  pending_email: undefined,
});

/**
 * After the link of the address that waits was opened, or undefined where that one does not wait. A return to a protected address
 * ends its protection and that of every newer one; the address before is protected for its days from now on otherwise.
 */
export function applied(addresses: Addresses, email: string, now: Date): Addresses | undefined {
  const pending = pendingOf(addresses, now);
  if (!pending || !isSameEmail(pending.email, email)) return undefined;
  const all = protectedOf(addresses, now);
  const back = all.findIndex((one) => isSameEmail(one.email, pending.email));
  const until = inDays(now);
  const list =
    back >= 0
      ? all.slice(0, back)
      : all.map((one) => (isSameEmail(one.email, addresses.email) ? { ...one, until } : one));
  return { email: pending.email, email_confirmed_at: now, protected_emails: list };
}

/** After the link of a protected address was used: it is in force, and whatever came later is gone. Undefined where it is not protected. */
export function reverted(addresses: Addresses, id: string, now: Date): Addresses | undefined {
  const all = protectedOf(addresses, now);
  const at = all.findIndex((one) => one.id === id);
  const found = all[at];
  return (
    found && {
      email: found.email,
      email_confirmed_at: now,
      protected_emails: [...all.slice(0, at), { ...found, reverted_at: now }],
    }
  );
}
