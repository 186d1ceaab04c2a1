import { z } from 'zod';
import type { Account } from '../../accounts/account.ts';
import { resetAddress } from '../../accounts/addresses.ts';
import { isSameText } from '../../keys/seal.ts';
import type { KnownDevice } from '../../tokens/sessions/known-device.ts';
import { createToken, findContent, hashOf } from '../mailed-token.ts';
import type { SignInContext } from '../sign-in-context.ts';

/** Links that make the browser that asked for them a known device. */
export const deviceLink = {
  kind: 'device-link',
  minutes: 30,
  schema: z.object({
    member_id: z.string(),
    /** Recipient of the mail. */
    to: z.string(),
    /** Hash of the browser's id. */
    device: z.string(),
    /** Interaction in which it asked. */
    uid: z.string(),
    locale: z.string().optional(),
  }),
};

/** A request for a link. */
interface DeviceRequest {
  readonly account: Account;
  readonly to: string;
  readonly device: KnownDevice;
  readonly uid: string;
  readonly locale: string | undefined;
}

/** Creates the token of a link. */
export async function createDeviceLink(
  { account, to, device, uid, locale }: DeviceRequest,
  { tokens }: SignInContext,
): Promise<string> {
  const content = { member_id: account._id, to, device: hashOf(device.id), uid, locale };
  return createToken(deviceLink, content, tokens.sessions);
}

/** The link of a token; undefined when it is unknown or expired, or the account's address has changed. */
export async function findDeviceLink(token: string, { accounts, tokens, now }: SignInContext) {
  const content = await findContent(deviceLink, token, tokens.sessions);
  if (!content) return undefined;
  const account = await accounts.find(content.member_id);
  if (account?.status !== 'active' || resetAddress(account, now()) !== content.to) return undefined;
  const { uid, locale, device } = content;
  return { account, uid, locale, isFrom: ({ id }: KnownDevice) => isSameText(hashOf(id), device) };
}
