import { z } from 'zod';
import { deviceOf } from '../../tokens/sessions/known-device.ts';
import { continuePromptName } from '../../tokens/sessions/sign-in-result.ts';
import { admit, admitOneOf } from './admit.ts';
import { refuseSignIn } from './refuse-sign-in.ts';
import { recordEvent } from '../record-event.ts';
import { sendLoginForm, type Visitor } from './visitor.ts';
import { authenticate } from '../authenticate.ts';
import { enterPasskey } from './enter-passkey.ts';
import { duringSignIn, formOf } from '../during-sign-in.ts';
import { accountToContinue, resume } from '../interaction.ts';
import { redirect } from '../pages/respond.ts';
import { openProof, sealedProof } from './proof.ts';

const formSchema = z.object({
  login: z.string().default(''),
  password: z.string().default(''),
  proof: sealedProof.optional(),
  site: z.coerce.number().int().optional(),
  continue: z.literal('yes').optional(),
  /** Answer of an authenticator, and the challenge for it. */
  credential: z.string().optional(),
  /** The script found that this device can keep passkeys. */
  passkeys: z.literal('yes').optional().catch(undefined),
  challenge: z.string().max(1_024).default(''),
});

async function enter(visitor: Visitor, password: string): Promise<void> {
  const { context, interaction, login = '' } = visitor;
  const authenticatedAt = context.clock();
  const outcome = await authenticate(visitor, { login, password, realm: interaction.realm });
  if (outcome.kind === 'right')
    return admitOneOf({ ...visitor, method: 'pwd', authenticatedAt }, outcome.accounts);
  const { kind: problem, ...refusal } = outcome;
  refuseSignIn(visitor, { problem, ...refusal });
}

/** Takes the choice of a site, after credentials that are correct on several. */
async function choose(visitor: Visitor, site: number | undefined): Promise<void> {
  const { proof, context } = visitor;
  if (proof?.reason !== 'site') return refuseSignIn(visitor, { problem: 'staleForm' });
  const found = await context.accounts.findMany(proof.accounts);
  const account = found.find(({ siteid }) => siteid === site);
  const { method, authenticated_at, asked_at: askedAt } = proof;
  // The password may have changed since it was entered.
  const isValid = account && authenticated_at > (account.signed_out_at?.getTime() ?? 0);
  return isValid
    ? admit(
        { ...visitor, proof: undefined, method, authenticatedAt: new Date(authenticated_at), askedAt },
        account,
      )
    : refuseSignIn(visitor, { problem: 'staleForm', account });
}

/** "Continue": resumes with the session that the page showed; the resume step checks it again. */
async function continueAs(visitor: Visitor): Promise<void> {
  const { request, response, context, interaction } = visitor;
  const account = await accountToContinue(interaction, visitor);
  if (!account) return refuseSignIn(visitor, { problem: 'staleForm' });
  const device = deviceOf(request, context);
  redirect(response, resume(interaction.details, { [continuePromptName]: true }, device, response, context));
  recordEvent(visitor, 'session_continued', { account });
}

/** POST /login/:uid: takes credentials, the choice of a site, or "Continue". */
export const submitLogin = duringSignIn((visit) => {
  const { context, interaction } = visit;
  const form = formOf(formSchema, visit);
  if (!form) return sendLoginForm(visit, { problem: interaction.presentation.text('staleForm') }, 403);
  const { login, password, site, proof: sealed } = form;
  const proof = sealed === undefined ? undefined : openProof(sealed, interaction, context);
  const visitor = {
    ...visit,
    login,
    proof,
    sealedProof: sealed,
    identity: proof?.identity,
    canKeepPasskeys: form.passkeys === 'yes',
  };
  if (form.continue) return continueAs(visitor);
  if (form.credential) return enterPasskey(visitor, { ...form, credential: form.credential });
  return site !== undefined || proof?.reason === 'site' ? choose(visitor, site) : enter(visitor, password);
});
