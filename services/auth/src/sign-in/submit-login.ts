import { reactivateMember } from '@covalence/contract/internal/profile-api';
import { addressKey } from '@covalence/http/address-key';
import type { SecurityEventName } from '@covalence/runtime/security-events';
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Account } from '../accounts/account.ts';
import type { Context } from '../context.ts';
import { choicePage, loginPage } from './pages/sign-in-pages.ts';
import { standingOf } from '../tokens/member-state.ts';
import { authenticate } from './authenticate.ts';
import { accountToContinue, continueSession } from './continue-as.ts';
import { findInteraction, finishInteraction, type Interaction } from './interaction.ts';
import { deviceOf } from '../tokens/sessions/known-device.ts';
import { givenAtOf, openProof, sealProof, type Proof } from './proof.ts';
import { showExpired } from './show-login.ts';

const formSchema = z.object({
  csrf: z.string(),
  login: z.string().default(''),
  password: z.string().default(''),
  proof: z.string().max(4_096).optional(),
  site: z.coerce.number().int().optional(),
  continue: z.literal('yes').optional(),
});

/** One submission of the form. */
interface Submission {
  readonly request: Request;
  readonly response: Response;
  readonly context: Context;
  readonly interaction: Interaction;
  readonly form: z.output<typeof formSchema>;
  readonly proof: Proof | undefined;
  /** When the credentials were given that this submission stands on. */
  readonly givenAt: Date;
}

type Problem = 'wrong' | 'limited' | 'suspended' | 'otherAccount' | 'staleForm';

/** Tells the security log of a sign-in: whom it concerns, through which client, from where. */
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

/** How the form is shown once more, and why. */
interface Refusal {
  readonly status: number;
  readonly problem: Problem;
  /** The account that was meant, where it is one. */
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
      loginPage(interaction.setting, {
        ...interaction,
        login: form.login,
        proof: isSecondEntry ? form.proof : undefined,
        problem: interaction.setting.text(problem, { minutes }),
        deviceLink: problem === 'limited' ? interaction.device : undefined,
      }),
    );
}

/** The form once more: the second entry that reactivates. */
function askAgain({ response, interaction, context }: Submission, account: Account): void {
  const proof = sealProof(
    { reason: 'reactivate', accounts: [account._id] },
    interaction.uid,
    context.seal,
    context.now(),
  );
  response.set(interaction.headers).send(loginPage(interaction.setting, { ...interaction, proof }));
}

function askForSite({ response, interaction, context }: Submission, accounts: readonly Account[]): void {
  const memberIds = accounts.map((account) => account._id);
  const proof = sealProof(
    { reason: 'site', accounts: memberIds },
    interaction.uid,
    context.seal,
    context.now(),
  );
  const sites = accounts.flatMap(({ siteid }) => context.sites.get(siteid) ?? []);
  response.set(interaction.headers).send(choicePage(interaction.setting, { ...interaction, proof, sites }));
}

async function signIn(submission: Submission, account: Account): Promise<void> {
  const { request, response, context, interaction } = submission;
  await finishInteraction(interaction, account, submission.givenAt, request, response, context);
  record(submission, account.staff ? 'staff_sign_in' : 'sign_in', { account });
}

/** Lets the account in, unless its member is suspended or has to give both entries first. */
async function admit(submission: Submission, account: Account): Promise<void> {
  const { context, proof } = submission;
  const standing = await standingOf(account, context.profile);
  if (standing === 'good') return signIn(submission, account);
  if (standing === 'suspended') return showAgain(submission, { status: 403, problem: 'suspended', account });
  if (standing === 'gone') return showAgain(submission, { status: 200, problem: 'wrong', account });
  if (proof?.reason !== 'reactivate') return askAgain(submission, account);
  await context.profile.call(
    '/internal/members/reactivate',
    { member_id: account._id },
    reactivateMember.output,
  );
  return signIn(submission, account);
}

/** After credentials that are right, for one account or for several. */
async function admitOneOf(accounts: readonly Account[], submission: Submission): Promise<void> {
  const { proof } = submission;
  const isSecondEntry = proof?.reason === 'reactivate';
  const meant = isSecondEntry ? accounts.filter(({ _id }) => proof.accounts.includes(_id)) : accounts;
  const [first, second] = meant;
  if (!first) return showAgain(submission, { status: 200, problem: 'otherAccount' });
  return second ? askForSite(submission, meant) : admit(submission, first);
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

/** The choice of a site, after an entry that was right for several. */
async function choose(submission: Submission): Promise<void> {
  const { proof } = submission;
  if (proof?.reason !== 'site') return showAgain(submission, { status: 200, problem: 'staleForm' });
  const found = await submission.context.accounts.findMany(proof.accounts);
  const account = found.find(({ siteid }) => siteid === submission.form.site);
  const givenAt = givenAtOf(proof);
  // The password may have been changed since it was given.
  const isGood = account && givenAt.getTime() > (account.signed_out_at?.getTime() ?? 0);
  return isGood
    ? admit({ ...submission, proof: undefined, givenAt }, account)
    : showAgain(submission, { status: 200, problem: 'staleForm', account });
}

/** "Continue": the browser goes on with its session, if that is the one that the page was shown for. */
async function continueAs(submission: Submission): Promise<void> {
  const { request, response, context, interaction } = submission;
  const account = await accountToContinue(interaction, request, response, context);
  if (!account) return showAgain(submission, { status: 200, problem: 'staleForm' });
  continueSession(interaction, request, response, context);
  record(submission, 'session_continued', { account });
}

/** POST /login/:uid: one entry of credentials, or the choice of a site. */
export async function submitLogin(request: Request, response: Response, context: Context): Promise<void> {
  const interaction = await findInteraction(request, response, context);
  if (!interaction) return showExpired(request, response, context);
  const form = formSchema.safeParse(request.body ?? {});
  if (!form.success || !context.seal.checkMac('login-csrf', interaction.uid, form.data.csrf)) {
    response.status(403).set(interaction.headers);
    response.send(
      loginPage(interaction.setting, { ...interaction, problem: interaction.setting.text('staleForm') }),
    );
    return;
  }
  const proof =
    form.data.proof === undefined
      ? undefined
      : openProof(form.data.proof, interaction.uid, context.seal, context.now());
  const givenAt = context.now();
  const submission = { request, response, context, interaction, form: form.data, proof, givenAt };
  if (form.data.continue) return continueAs(submission);
  const isChoice = form.data.site !== undefined || proof?.reason === 'site';
  return isChoice ? choose(submission) : enter(submission);
}
