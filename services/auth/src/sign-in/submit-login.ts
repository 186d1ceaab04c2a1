import { addressKey } from '@covalence/http/address-key';
import type { SecurityEventName } from '@covalence/runtime/security-events';
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Account } from '../accounts/account.ts';
import { choicePage, loginPage } from './pages/sign-in-pages.ts';
import { accountStateOf } from '../accounts/member-state.ts';
import { authenticate } from './authenticate.ts';
import {
  accountToContinue,
  findInteraction,
  finishInteraction,
  resume,
  type Interaction,
} from './interaction.ts';
import { deviceOf } from '../tokens/sessions/known-device.ts';
import { continuePromptName } from '../tokens/sessions/sign-in-result.ts';
import { authenticatedAtOf, openProof, sealProof, type Proof } from './proof.ts';
import { sendExpired } from './pages/respond.ts';
import type { PageHandler, SignInContext } from './sign-in-context.ts';

const formSchema = z.object({
  csrf: z.string(),
  login: z.string().default(''),
  password: z.string().default(''),
  proof: z.string().max(4_096).optional(),
  site: z.coerce.number().int().optional(),
  continue: z.literal('yes').optional(),
});

/** A submission of the login form. */
interface Submission {
  readonly request: Request;
  readonly response: Response;
  readonly context: SignInContext;
  readonly interaction: Interaction;
  readonly form: z.output<typeof formSchema>;
  readonly proof: Proof | undefined;
  /** When the credentials were entered. */
  readonly authenticatedAt: Date;
}

type Problem = 'wrong' | 'limited' | 'suspended' | 'otherAccount' | 'staleForm';

/** Records a security event with account, client and address. */
function record(
  { request, interaction, context }: Submission,
  name: SecurityEventName,
  { account, reason }: { account?: Account | undefined; reason?: Problem },
): void {
  const { client_id } = interaction.details.params;
  context.security.record(name, {
    [account?.staff ? 'staff' : 'member']: account?._id,
    client: String(client_id),
    address: addressKey(request.ip ?? ''),
    reason,
  });
}

/** Why the form is shown again. */
interface Refusal {
  readonly status: number;
  readonly problem: Problem;
  /** The only candidate account, if there is one. */
  readonly account?: Account | undefined;
  readonly minutes?: number;
}

function showAgain(submission: Submission, { status, problem, account, minutes = 0 }: Refusal): void {
  const { response, interaction, form } = submission;
  if (problem === 'limited') record(submission, 'sign_in_limited', { account });
  else record(submission, 'sign_in_failed', { account, reason: problem });
  const isSecondEntry = submission.proof?.reason === 'reactivate';
  response
    .status(status)
    .set(interaction.headers)
    .send(
      loginPage(interaction.presentation, {
        ...interaction,
        login: form.login,
        proof: isSecondEntry ? form.proof : undefined,
        problem: interaction.presentation.text(problem, { minutes }),
        deviceLink: problem === 'limited' ? interaction.device : undefined,
      }),
    );
}

/** Asks for the credentials again, to confirm the reactivation. */
function askToReactivate({ response, interaction, context }: Submission, account: Account): void {
  const proof = sealProof(
    { reason: 'reactivate', accounts: [account._id] },
    interaction.uid,
    context.keys.seal,
    context.now(),
  );
  response.set(interaction.headers).send(loginPage(interaction.presentation, { ...interaction, proof }));
}

function askForSite({ response, interaction, context }: Submission, accounts: readonly Account[]): void {
  const memberIds = accounts.map((account) => account._id);
  const proof = sealProof(
    { reason: 'site', accounts: memberIds },
    interaction.uid,
    context.keys.seal,
    context.now(),
  );
  const sites = accounts.flatMap(({ siteid }) => context.sites.get(siteid) ?? []);
  response
    .set(interaction.headers)
    .send(choicePage(interaction.presentation, { ...interaction, proof, sites }));
}

async function signIn(submission: Submission, account: Account): Promise<void> {
  const { request, response, context, interaction } = submission;
  await finishInteraction(interaction, account, submission.authenticatedAt, request, response, context);
  record(submission, account.staff ? 'staff_sign_in' : 'sign_in', { account });
}

/** Signs the account in, unless its member is suspended, deleted, or has to confirm the reactivation. */
async function admit(submission: Submission, account: Account): Promise<void> {
  const { context, proof } = submission;
  const state = await accountStateOf(account, context.profile);
  if (state === 'active') return signIn(submission, account);
  if (state === 'suspended') return showAgain(submission, { status: 403, problem: 'suspended', account });
  if (state === 'deleted') return showAgain(submission, { status: 200, problem: 'wrong', account });
  if (proof?.reason !== 'reactivate') return askToReactivate(submission, account);
  await context.profile.reactivateMember({ member_id: account._id });
  return signIn(submission, account);
}

/** Continues after correct credentials of one or several accounts. */
async function admitOneOf(accounts: readonly Account[], submission: Submission): Promise<void> {
  const { proof } = submission;
  const isSecondEntry = proof?.reason === 'reactivate';
  const matching = isSecondEntry ? accounts.filter(({ _id }) => proof.accounts.includes(_id)) : accounts;
  const [first, second] = matching;
  if (!first) return showAgain(submission, { status: 200, problem: 'otherAccount' });
  return second ? askForSite(submission, matching) : admit(submission, first);
}

async function enter(submission: Submission): Promise<void> {
  const { request, response, context, interaction, form } = submission;
  const outcome = await authenticate(
    {
      login: form.login,
      password: form.password,
      realm: interaction.realm,
      address: request.ip ?? '',
      device: deviceOf(request, context),
    },
    context,
  );
  if (outcome.kind === 'right') return admitOneOf(outcome.accounts, submission);
  const { account } = outcome;
  if (outcome.kind === 'wrong') return showAgain(submission, { status: 200, problem: 'wrong', account });
  response.set('Retry-After', String(outcome.seconds));
  showAgain(submission, {
    status: 429,
    problem: 'limited',
    account,
    minutes: Math.ceil(outcome.seconds / 60),
  });
}

/** Takes the choice of a site, after credentials that are correct on several. */
async function choose(submission: Submission): Promise<void> {
  const { proof } = submission;
  if (proof?.reason !== 'site') return showAgain(submission, { status: 200, problem: 'staleForm' });
  const found = await submission.context.accounts.findMany(proof.accounts);
  const account = found.find(({ siteid }) => siteid === submission.form.site);
  const authenticatedAt = authenticatedAtOf(proof);
  // The password may have changed since it was entered.
  const isValid = account && authenticatedAt.getTime() > (account.signed_out_at?.getTime() ?? 0);
  return isValid
    ? admit({ ...submission, proof: undefined, authenticatedAt }, account)
    : showAgain(submission, { status: 200, problem: 'staleForm', account });
}

/** "Continue": resumes with the session that the page showed; the resume step checks it again. */
async function continueAs(submission: Submission): Promise<void> {
  const { request, response, context, interaction } = submission;
  const account = await accountToContinue(interaction, request, response, context);
  if (!account) return showAgain(submission, { status: 200, problem: 'staleForm' });
  const device = deviceOf(request, context);
  resume(interaction.details, { [continuePromptName]: true }, device, response, context);
  record(submission, 'session_continued', { account });
}

/** POST /login/:uid: takes credentials, the choice of a site, or "Continue". */
export const submitLogin: PageHandler = async (request, response, context) => {
  const interaction = await findInteraction(request, response, context);
  if (!interaction) return sendExpired(request, response, context);
  const form = formSchema.safeParse(request.body ?? {});
  if (!form.success || !context.keys.seal.checkMac('login-csrf', interaction.uid, form.data.csrf)) {
    response.status(403).set(interaction.headers);
    response.send(
      loginPage(interaction.presentation, {
        ...interaction,
        problem: interaction.presentation.text('staleForm'),
      }),
    );
    return;
  }
  const proof =
    form.data.proof === undefined
      ? undefined
      : openProof(form.data.proof, interaction.uid, context.keys.seal, context.now());
  const authenticatedAt = context.now();
  const submission = { request, response, context, interaction, form: form.data, proof, authenticatedAt };
  if (form.data.continue) return continueAs(submission);
  const isChoice = form.data.site !== undefined || proof?.reason === 'site';
  return isChoice ? choose(submission) : enter(submission);
};
