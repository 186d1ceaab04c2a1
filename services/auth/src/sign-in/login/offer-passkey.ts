import { z } from 'zod';
import type { Account } from '../../accounts/account.ts';
import { cookieNames, cookieOf, cookieOptions } from '../../tokens/sessions/cookies.ts';
import { deviceOf } from '../../tokens/sessions/known-device.ts';
import { addPasskey, newPasskey } from '../methods/add-passkey.ts';
import { duringSignIn, formOf } from '../during-sign-in.ts';
import type { Interaction } from '../interaction.ts';
import { passkeyOfferPage } from '../pages/passkey-pages.ts';
import { redirect, sendExpired, sendPage } from '../pages/respond.ts';
import type { ProvenVisitor } from './visitor.ts';

/** A browser is asked once in this time. */
const offerSeconds = 180 * 24 * 60 * 60;

/** A new passkey is for the account, in the sign-in and browser in which its password was entered. */
const boundTo = ({ uid }: Interaction, device: string, account: string): string =>
  `offer:${uid}:${device}:${account}`;

/** Whether a sign-in ends with the offer of a passkey: by password, on a device that can keep one, once per browser. */
export function isOffered(
  { method, interaction, canKeepPasskeys, request, context }: ProvenVisitor,
  { passkeys }: Account,
): boolean {
  const isNew = cookieOf(request, cookieNames(context.issuer).offer) === undefined;
  // Staff get their passkeys with the second factor: from then on the password alone does not sign in.
  const isOfMember = !interaction.realm.staff;
  return method === 'pwd' && canKeepPasskeys === true && isOfMember && isNew && !passkeys;
}

/** Shows the offer. The sign-in is complete: `next` goes on with it, with or without a passkey. */
export async function offerPasskey(visit: ProvenVisitor, account: Account, next: string): Promise<void> {
  const { interaction, request, response, context } = visit;
  const { issuer } = context;
  const { csrf, presentation } = interaction;
  const bound = boundTo(interaction, deviceOf(request, context).id, account._id);
  const added = await newPasskey(account, bound, presentation, context);
  const action = `${interaction.action}/passkey`;
  response.cookie(cookieNames(issuer).offer, '1', cookieOptions(issuer, '/', offerSeconds));
  const page = passkeyOfferPage(presentation, { action, csrf, account: account._id, added, next });
  // The sign-in has set the cookie of this browser.
  sendPage(response, page, 200, interaction.headers);
}

const formSchema = z.object({
  account: z.string().max(64),
  credential: z.string(),
  challenge: z.string().max(1_024),
});

/** POST /login/:uid/passkey: adds the offered passkey, and goes on with the sign-in in any case. */
export const takeOffer = duringSignIn(async (visit) => {
  const { request, response, context, interaction } = visit;
  const form = formOf(formSchema, visit);
  if (!form) return sendExpired(visit);
  const account = await context.accounts.find(form.account);
  const bound = boundTo(interaction, deviceOf(request, context).id, form.account);
  if (account) await addPasskey(visit, account, { ...form, bound });
  redirect(response, interaction.next);
});
