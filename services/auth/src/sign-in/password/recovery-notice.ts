import { z } from 'zod';
import { openProof, sealedProof } from '../login/proof.ts';
import { duringSignIn, formOf } from '../during-sign-in.ts';
import { redirect, sendExpired } from '../pages/respond.ts';
import { stopRecovery } from '../methods/recovery.ts';

const formSchema = z.object({
  proof: sealedProof,
  /** Id of the recovery that the page has shown. */
  recovery: z.string().max(64),
});

/** POST /login/:uid/recovery: stops a recovery after a sign-in with a passkey, and goes on with the sign-in in any case. */
export const takeRecoveryNotice = duringSignIn(async (visit) => {
  const { request, response, context, interaction } = visit;
  const form = formOf(formSchema, visit);
  const proof = form && openProof(form.proof, interaction, context);
  if (!form || proof?.reason !== 'recovery') return sendExpired(visit);
  const account = await context.accounts.find(proof.accounts[0] ?? '');
  if (account && !account.recovery?.by_support)
    await stopRecovery(account, form.recovery, request.ip ?? '', context);
  redirect(response, interaction.next);
});
