import type { Clock } from '@covalence/runtime/clock';
import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { AccountStore } from '../../accounts/account-store.ts';
import type { Account } from '../../accounts/account.ts';
import { resetAddress } from '../../accounts/addresses.ts';
import { isSameText } from '../../keys/same-text.ts';
import type { SessionStore } from '../../tokens/sessions/session-store.ts';
import type { KnownDevice } from '../../tokens/sessions/known-device.ts';

/** Lifetime of a link that makes a browser a known device. */
export const deviceLinkMinutes = 30;

const kind = 'device-link';

const linkSchema = z.object({
  member_id: z.string(),
  /** Recipient of the mail. */
  to: z.string(),
  /** Hash of the id of the browser that asked for it. */
  device: z.string(),
  /** Interaction in which it asked. */
  uid: z.string(),
  locale: z.string().optional(),
});

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');

/** Dependencies of device links. */
interface DeviceLinkContext {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly tokens: { readonly sessions: SessionStore };
  readonly now: Clock;
}

/** A request for a link. */
interface DeviceRequest {
  readonly account: Account;
  readonly to: string;
  readonly device: KnownDevice;
  readonly uid: string;
  readonly locale: string | undefined;
}

/** Creates a token of 256 random bits and stores its hash. It works only in the browser that asked for it. */
export async function createDeviceLink(
  { account: { _id: member_id }, to, device, uid, locale }: DeviceRequest,
  { tokens }: DeviceLinkContext,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const payload = JSON.stringify({ member_id, to, device: hashOf(device.id), uid, locale });
  await tokens.sessions.save([{ kind, id: hashOf(token), payload }], deviceLinkMinutes * 60, member_id);
  return token;
}

/** A link that has not expired. */
interface DeviceLink {
  readonly account: Account;
  readonly uid: string;
  readonly locale: string | undefined;
  /** Whether this browser asked for it. */
  isFrom(device: KnownDevice): boolean;
}

/** The link of a token; undefined when it is unknown or expired, or the account's address has changed. */
export async function findDeviceLink(
  token: string,
  { accounts, tokens, now }: DeviceLinkContext,
): Promise<DeviceLink | undefined> {
  const found = await tokens.sessions.find(kind, hashOf(token));
  if (!found) return undefined;
  const { member_id, to, device, uid, locale } = linkSchema.parse(JSON.parse(found.payload));
  const account = await accounts.find(member_id);
  if (account?.status !== 'active' || resetAddress(account, now()) !== to) return undefined;
  return { account, uid, locale, isFrom: ({ id }) => isSameText(hashOf(id), device) };
}
