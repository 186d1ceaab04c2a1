import { z } from 'zod';
import { openProof } from '../login/proof.ts';
import { findInteraction } from '../interaction.ts';
import { redirect, sendExpired } from '../pages/respond.ts';
import { stopRecovery } from '../methods/recovery.ts';
import type { PageHandler } from '../sign-in-context.ts';

const formSchema = z.object({
  csrf: z.string(),
  proof: z.string().max(4_096),
  /** Id of the recovery that the page has shown. */
  recovery: z.string().max(64),
});

/** POST /login/:uid/recovery: stops a recovery after a sign-in with a passkey, and goes on with the sign-in in any case. */
export const takeRecoveryNotice: PageHandler = async (request, response, context) => {
  const interaction = await findInteraction(request, response, context);
  const { data: form } = formSchema.safeParse(request.body ?? {});
  if (!interaction || !form || !context.keys.seal.checkMac('login-csrf', interaction.uid, form.csrf))
    return sendExpired(request, response, context);
  const proof = openProof(form.proof, interaction, context);
  if (proof?.reason !== 'recovery') return sendExpired(request, response, context);
  const account = await context.accounts.find(proof.accounts[0] ?? '');
  if (account && !account.recovery?.by_support)
    await stopRecovery(account, form.recovery, request.ip ?? '', context);
  const { pathname, search } = new URL(interaction.details.returnTo);
  redirect(response, pathname + search);
};
