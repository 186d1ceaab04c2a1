import type { Request } from 'express';
import { z } from 'zod';
import type { Visitor } from '../admission.ts';
import { findInteraction, type Interaction } from '../interaction.ts';
import { hashOf } from '../mailed-token.ts';
import { redirect, sendExpired } from '../pages/respond.ts';
import { loginPage } from '../pages/sign-in-pages.ts';
import { openProof } from '../proof.ts';
import type { PageHandler, SignInContext } from '../sign-in-context.ts';
import { admitIdentity } from './admit-identity.ts';
import { isOffered } from '../../accounts/identities/identity-providers.ts';
import {
  newVisit,
  ProviderAwayError,
  IdentityRefusedError,
  type ProviderConnection,
} from '../../accounts/identities/provider-connection.ts';

/** Where providers send browsers back to. */
export const callbackPath = '/identity/callback';

const visitKind = 'IdentityVisit';
const visitSeconds = 600;

/** The parameters of a provider's answer that count; each appears once. */
const answerSchema = z.object({
  state: z.string().max(255),
  code: z.string().max(4_096).optional(),
  error: z.string().max(255).optional(),
  iss: z.string().max(255).optional(),
  /** Apple, with the first sign-in only: JSON with the name. */
  user: z.string().max(4_096).optional(),
});

const sealedProof = z.string().max(4_096).optional().catch(undefined);

const visitSchema = z.object({
  uid: z.string(),
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  proof: sealedProof,
  answer: answerSchema.optional(),
});

type StoredVisit = z.output<typeof visitSchema>;

const save = (visit: StoredVisit, { tokens }: SignInContext): Promise<void> =>
  tokens.sessions.save(
    [{ kind: visitKind, id: hashOf(visit.state), payload: JSON.stringify(visit) }],
    visitSeconds,
  );

async function find(state: string, { tokens }: SignInContext) {
  const found = await tokens.sessions.find(visitKind, hashOf(state));
  return found && { ...visitSchema.parse(JSON.parse(found.payload)), isUsed: found.consumed !== undefined };
}

/** The provider with this id that the site of an interaction offers; undefined for staff and unknown ids. */
export function connectionFor(
  { realm }: Interaction,
  id: string,
  { identities }: SignInContext,
): ProviderConnection | undefined {
  const connection = realm.staff ? undefined : identities.providers.get(id);
  return connection && isOffered(connection.provider, realm.siteid) ? connection : undefined;
}

/** Shows the login form with the reason why a provider did not sign the person in. */
function showProblem({ response, interaction, context }: Visitor, error: unknown): void {
  const isAway = error instanceof ProviderAwayError;
  if (!isAway && !(error instanceof IdentityRefusedError)) throw error;
  context.logger.warn({ err: error }, isAway ? 'a provider is away' : 'refused the answer of a provider');
  const { presentation } = interaction;
  response
    .status(isAway ? 503 : 403)
    .set(interaction.headers)
    .send(
      loginPage(presentation, {
        ...interaction,
        problem: presentation.text(isAway ? 'providerAway' : 'providerRefused'),
      }),
    );
}

/** GET /login/:uid/identity/:provider: sends the browser to a provider. */
export const beginVisit: PageHandler = async (request, response, context) => {
  const interaction = await findInteraction(request, response, context);
  const connection = interaction && connectionFor(interaction, String(request.params['provider']), context);
  if (!interaction || !connection) return sendExpired(request, response, context);
  const visit = newVisit();
  const visitor = { request, response, context, interaction };
  try {
    const address = await connection.addressOf(visit, interaction.presentation.language);
    const proof = sealedProof.parse(request.query['proof']);
    await save({ ...visit, uid: interaction.uid, provider: connection.provider.id, proof }, context);
    redirect(response, address.href);
  } catch (error) {
    showProblem(visitor, error);
  }
};

const answerOf = ({ method, query, body }: Request) =>
  answerSchema.safeParse(method === 'POST' ? body : query).data;

/**
 * GET and POST /identity/callback: keeps a provider's answer and leads to the interaction, whose cookie the browser sends to its
 * own path, and only with GET.
 */
export const takeAnswer: PageHandler = async (request, response, context) => {
  const answer = answerOf(request);
  const visit = answer && (await find(answer.state, context));
  if (!visit || visit.isUsed) return sendExpired(request, response, context);
  const { isUsed: _, ...stored } = visit;
  await save({ ...stored, answer }, context);
  redirect(
    response,
    `/login/${visit.uid}/identity?${new URLSearchParams({ state: visit.state }).toString()}`,
  );
};

/** The name in Apple's `user`; undefined when it is missing or malformed. */
function nameIn(user: string | undefined): string | undefined {
  if (user === undefined) return undefined;
  try {
    const { name } = userSchema.parse(JSON.parse(user));
    return [name.firstName, name.lastName].filter(Boolean).join(' ').slice(0, 200) || undefined;
  } catch {
    return undefined;
  }
}

const userSchema = z.object({
  name: z.object({ firstName: z.string().optional(), lastName: z.string().optional() }),
});

/** GET /login/:uid/identity: continues with the account of a provider's answer, in the browser that began the visit. */
export const finishVisit: PageHandler = async (request, response, context) => {
  const interaction = await findInteraction(request, response, context);
  if (!interaction) return sendExpired(request, response, context);
  const state = z.string().max(255).safeParse(request.query['state']).data;
  const visit = state === undefined ? undefined : await find(state, context);
  const connection = visit && connectionFor(interaction, visit.provider, context);
  if (visit?.uid !== interaction.uid || !connection || !visit.answer)
    return sendExpired(request, response, context);
  // Used up before the code is: a second answer for the same visit changes nothing.
  const isFirst = await context.tokens.sessions.consume(visitKind, hashOf(visit.state), Date.now());
  const { answer } = visit;
  if (!isFirst || answer.error !== undefined) return redirect(response, interaction.action);
  const { keys, now } = context;
  const proof =
    visit.proof === undefined ? undefined : openProof(visit.proof, interaction.uid, keys.seal, now());
  const visitor = { request, response, context, interaction, proof, sealedProof: visit.proof };
  try {
    const { user, ...parameters } = answer;
    const proven = await connection.finish(visit, parameters);
    await admitIdentity(visitor, { ...proven, name: proven.name ?? nameIn(user) });
  } catch (error) {
    showProblem(visitor, error);
  }
};
