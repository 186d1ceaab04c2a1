import type { Clock } from '@covalence/runtime/clock';
import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { AccountStore } from '../../accounts/account-store.ts';
import type { Account } from '../../accounts/account.ts';
import { resetAddress } from '../../accounts/emails/addresses.ts';
import { isSameText } from '../../keys/same-text.ts';
import type { ShortLivedStore } from '../../tokens/sessions/short-lived-store.ts';
import type { KnownDevice } from '../../tokens/sessions/known-device.ts';

/** Minutes that the link works by which a browser becomes one that the account is known in. */
export const deviceLinkMinutes = 30;

const kind = 'device-link';

const linkSchema = z.object({
  member_id: z.string(),
  /** Where it was mailed to. */
  to: z.string(),
  /** Hash of the name of the browser that asked. */
  device: z.string(),
  /** The sign-in that it asked in. */
  uid: z.string(),
  locale: z.string().optional(),
});

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');

/** Where links are kept, and the accounts that they are for. */
interface DeviceLinkContext {
  readonly accounts: AccountStore;
  readonly shortLived: ShortLivedStore;
  readonly now: Clock;
}

/** What a link is made for. */
interface DeviceRequest {
  readonly account: Account;
  readonly to: string;
  readonly device: KnownDevice;
  readonly uid: string;
  readonly locale: string | undefined;
}

/** Makes a token of 256 random bits; only its hash is kept. It is worth something in the browser that asked alone. */
export async function createDeviceLink(
  { account: { _id: member_id }, to, device, uid, locale }: DeviceRequest,
  { shortLived }: DeviceLinkContext,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const payload = JSON.stringify({ member_id, to, device: hashOf(device.id), uid, locale });
  await shortLived.save([{ kind, id: hashOf(token), payload }], deviceLinkMinutes * 60, member_id);
  return token;
}

/** A link whose time is not over. */
interface DeviceLink {
  readonly account: Account;
  readonly uid: string;
  readonly locale: string | undefined;
  /** Whether this is the browser that asked for it. */
  isFrom(device: KnownDevice): boolean;
}

/** What a token is for; undefined when it is unknown, expired, or the account has another address by now. */
export async function findDeviceLink(
  token: string,
  { accounts, shortLived, now }: DeviceLinkContext,
): Promise<DeviceLink | undefined> {
  const found = await shortLived.find(kind, hashOf(token));
  if (!found) return undefined;
  const { member_id, to, device, uid, locale } = linkSchema.parse(JSON.parse(found.payload));
  const account = await accounts.find(member_id);
  if (account?.status !== 'active' || resetAddress(account, now()) !== to) return undefined;
  return { account, uid, locale, isFrom: ({ id }) => isSameText(hashOf(id), device) };
}
