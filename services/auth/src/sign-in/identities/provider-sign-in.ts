import type { Request } from 'express';
import { z } from 'zod';
import { duringSignIn, type SignInVisit } from '../during-sign-in.ts';
import type { Interaction } from '../interaction.ts';
import { identifyDevice } from '../../tokens/sessions/known-device.ts';
import { sha256 } from '../../keys/algorithms.ts';
import { redirect, sendExpired } from '../pages/respond.ts';
import { openProof, sealedProof } from '../login/proof.ts';
import { sendLoginForm } from '../login/visitor.ts';
import type { PageHandler, SignInContext } from '../sign-in-context.ts';
import { admitIdentity } from './admit-identity.ts';
import { isOffered } from '../../accounts/identities/identity-providers.ts';
import {
  newAuthorizationRequest,
  type ProviderConnection,
} from '../../accounts/identities/provider-connection.ts';
import { IdentityRefusedError, ProviderAwayError } from '../../accounts/identities/provider-requests.ts';
import { keepToken } from '../../accounts/identities/provider-tokens.ts';

/** The path that providers redirect browsers to. */
export const callbackPath = '/identity/callback';

/** The kind of session in which a browser is at a provider, as it is stored. */
const kind = 'IdentityVisit';
const keptSeconds = 600;

/** The parameters of a provider's answer that count; each appears once. */
const answerSchema = z.object({
  state: z.string().max(255),
  code: z.string().max(4_096).optional(),
  error: z.string().max(255).optional(),
  iss: z.string().max(255).optional(),
});

const keptProof = sealedProof.optional().catch(undefined);

const storedSchema = z.object({
  uid: z.string(),
  /** The sign-in and browser in which it began. */
  browser: z.string(),
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  proof: keptProof,
});

/** An authorization request while its browser is at the provider. */
type StoredRequest = z.output<typeof storedSchema>;

const save = (stored: StoredRequest, { tokens }: SignInContext): Promise<void> =>
  tokens.sessions.save([{ kind, id: sha256(stored.state), payload: JSON.stringify(stored) }], keptSeconds);

async function find(state: string, { tokens }: SignInContext) {
  const found = await tokens.sessions.find(kind, sha256(state));
  return found && storedSchema.safeParse(JSON.parse(found.payload)).data;
}

/** The provider with this id that the site of an interaction offers; undefined for staff and unknown ids. */
function connectionFor(
  { realm }: Interaction,
  id: string,
  { identities }: SignInContext,
): ProviderConnection | undefined {
  const connection = realm.staff ? undefined : identities.providers.get(id);
  return connection && isOffered(connection.provider, realm.siteid) ? connection : undefined;
}

/** Shows the login form with the reason why a provider did not sign the person in. */
function showProblem(visit: SignInVisit, error: unknown): void {
  const { interaction, context } = visit;
  const isAway = error instanceof ProviderAwayError;
  if (!isAway && !(error instanceof IdentityRefusedError)) throw error;
  context.logger.warn(
    { err: error },
    isAway ? 'a provider is unavailable' : 'refused the answer of a provider',
  );
  const problem = interaction.presentation.text(isAway ? 'providerAway' : 'providerRefused');
  sendLoginForm(visit, { problem }, isAway ? 503 : 403);
}

/** GET /login/:uid/identity/:provider: sends the browser to a provider. */
export const beginProviderSignIn = duringSignIn(async (visit) => {
  const { request, response, context, interaction } = visit;
  const connection = connectionFor(interaction, String(request.params['provider']), context);
  if (!connection) return sendExpired(visit);
  const authorization = newAuthorizationRequest();
  try {
    const address = await connection.addressOf(
      authorization,
      interaction.presentation.language,
      interaction.maxAge,
    );
    const proof = keptProof.parse(request.query['proof']);
    const { uid, browser } = interaction;
    await save({ ...authorization, uid, browser, provider: connection.provider.id, proof }, context);
    identifyDevice(request, response, context);
    redirect(response, address.href);
  } catch (error) {
    showProblem(visit, error);
  }
});

const answerOf = ({ method, query, body }: Request) =>
  answerSchema.safeParse(method === 'POST' ? body : query).data;

/**
 * GET and POST /identity/callback: leads with a provider's answer to the interaction, whose cookie the browser sends to its own
 * path, and only with GET. Nothing is stored: an answer counts only in the browser that brings it.
 */
export const takeProviderAnswer: PageHandler = async (visit) => {
  const { request, response, context } = visit;
  const answer = answerOf(request);
  const stored = answer && (await find(answer.state, context));
  if (!stored) return sendExpired(visit);
  redirect(response, `/login/${stored.uid}/identity?${new URLSearchParams(answer).toString()}`);
};

/** GET /login/:uid/identity: continues with the account of a provider's answer, in the browser that began the sign-in. */
export const finishProviderSignIn = duringSignIn(async (visit) => {
  const { request, response, context, interaction } = visit;
  const { data: answer } = answerSchema.safeParse(request.query);
  const stored = answer && (await find(answer.state, context));
  const connection = stored && connectionFor(interaction, stored.provider, context);
  if (!connection || stored.browser !== interaction.browser) return sendExpired(visit);
  // Used up before the code is: a second answer to the same request changes nothing.
  const isFirst = await context.tokens.sessions.take(kind, sha256(stored.state));
  if (!isFirst || answer.error !== undefined) return redirect(response, interaction.action);
  const proof = stored.proof === undefined ? undefined : openProof(stored.proof, interaction, context);
  const visitor = { ...visit, proof, sealedProof: stored.proof };
  try {
    const { identity, token } = await connection.finish(stored, answer);
    if (token) await keepToken(token, context);
    await admitIdentity(visitor, identity);
  } catch (error) {
    showProblem(visitor, error);
  }
});
