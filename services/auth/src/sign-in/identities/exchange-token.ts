import { addressKey } from '@covalence/http/address-key';
import { endpoint } from '@covalence/http/endpoint';
import type { Request, RequestHandler } from 'express';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isOffered } from '../../accounts/identities/identity-providers.ts';
import { identityId } from '../../accounts/identities/identity-store.ts';
import type { ProviderConnection, VerifiedIdentity } from '../../accounts/identities/provider-connection.ts';
import { IdentityRefusedError, ProviderAwayError } from '../../accounts/identities/provider-requests.ts';
import { keepToken } from '../../accounts/identities/provider-tokens.ts';
import { needsTwoFactors } from '../../accounts/second-factors.ts';
import { accountStateOf } from '../../accounts/member-state.ts';
import type { ClientStore } from '../../clients/client-store.ts';
import { createCode } from '../../tokens/provider/create-code.ts';
import { sendOAuthError, type OAuthError } from '../../tokens/provider/oauth-error.ts';
import { stateOf } from '../../tokens/provider/request-state.ts';
import { accessTokenType, tokenExchange } from '../../tokens/provider/responses.ts';
import { sha256 } from '../../keys/sha256.ts';
import type { SignInContext } from '../sign-in-context.ts';
import { announceSignIn } from '../login/announce-sign-in.ts';
import { enteredAt } from '../login/entered-at.ts';
import { challengeSeconds, createChallenge, releaseChallenge, takeChallenge } from '../webauthn/challenge.ts';
import { linkedAccounts } from './linked-accounts.ts';

/** What a nonce is for: it is a challenge that a provider signs. */
const bound = 'identity';

/** POST /identity/nonce: a nonce that an app puts into the request of its phone's sign-in dialog. */
export const createNonce = endpoint({
  access: 'public',
  tag: 'Sign-in',
  operationId: 'createNonce',
  summary: 'Create a nonce for the sign-in dialog of a phone',
  description:
    'An app gives the nonce to the dialog of Apple or Google on the phone, and sends it to `POST /token` with the identity token that the dialog returns. It works once.',
  answer: 'The nonce.',
  input: z.object({}),
  output: z
    .object({
      nonce: z.string(),
      expires_in: z.int().meta({ description: 'Seconds until the nonce expires.' }),
    })
    .meta({ id: 'SignInNonce' }),
  handler: (_call, context: SignInContext) =>
    Promise.resolve({ nonce: createChallenge(bound, context).sealed, expires_in: challengeSeconds }),
});

const text = z.string().min(1);

const formSchema = z.object({
  client_id: text.max(255),
  subject_token: text.max(8_192),
  subject_token_type: z.literal('urn:ietf:params:oauth:token-type:id_token'),
  requested_token_type: z.literal(accessTokenType).optional(),
  /** Id of the provider. */
  provider: text.max(31),
  nonce: text.max(255),
  /** The provider's code that came with the token. Its refresh token is kept, to be revoked with the account. */
  authorization_code: text.max(4_096).optional(),
  siteid: z.coerce.number().int().optional(),
});

type Form = z.output<typeof formSchema>;

const invalidGrant = (description: string): OAuthError => ({
  status: 400,
  error: 'invalid_grant',
  description,
});
/** RFC 8693, 2.2.2: the error of a token that is not valid, or not acceptable. */
const invalidToken: OAuthError = {
  status: 400,
  error: 'invalid_request',
  description: 'the identity token is not valid',
};
const atSignIn = (description: string): OAuthError => ({
  status: 400,
  error: 'interaction_required',
  description,
});

/** The nonce as dialogs put it into the token: as it is, or its SHA-256, which apps on iOS send to Apple. */
const isNonceOf = (nonce: string) => (claimed: string | undefined) =>
  claimed !== undefined &&
  [nonce, sha256(nonce), createHash('sha256').update(nonce).digest('hex')].includes(claimed);

/** Keeps the refresh token behind a code. A provider that refuses the code has no say in the sign-in. */
async function keepRefreshToken(
  connection: ProviderConnection,
  code: string,
  verified: VerifiedIdentity,
  context: SignInContext,
): Promise<void> {
  try {
    const token = await connection.redeem(code, verified);
    if (token) await keepToken(token, context);
  } catch (error) {
    context.logger.warn({ err: error }, 'no refresh token for the authorization code of an app');
  }
}

/** The account that an identity token signs in with what it proves, or why it signs in none. */
async function enter(form: Form, context: SignInContext) {
  const { identities, profile } = context;
  const connection = identities.providers.get(form.provider);
  if (!connection || !isOffered(connection.provider, form.siteid)) return invalidGrant('unknown provider');
  let verified: VerifiedIdentity;
  try {
    verified = await connection.verifyNative(form.subject_token, isNonceOf(form.nonce));
  } catch (error) {
    if (error instanceof IdentityRefusedError) return invalidToken;
    if (!(error instanceof ProviderAwayError)) throw error;
    return { status: 503, error: 'temporarily_unavailable', description: 'the provider does not answer' };
  }
  const [account, another] = await linkedAccounts(verified.identity, form.siteid, context);
  if (!account) return atSignIn('no account is linked: open /authorize');
  if (another) return atSignIn('accounts of several sites are linked: send siteid');
  const state = await accountStateOf(account, profile);
  if (state === 'deactivated') return atSignIn('the profile is deactivated: open /authorize');
  if (state !== 'active') return invalidGrant('the account cannot sign in');
  if (needsTwoFactors(account, context.secondFactor))
    return atSignIn('two-step sign-in is on: open /authorize');
  const entry = {
    method: 'fed',
    authenticatedAt: context.now(),
    askedAt: verified.identity.auth_time,
  } as const;
  return {
    account,
    entry: { method: entry.method, authTime: enteredAt(entry, account) },
    identity: identityId(form.provider, account.siteid, verified.identity.subject),
    keep: (code: string) => keepRefreshToken(connection, code, verified, context),
  };
}

/** The client id of HTTP Basic, which RFC 6749 (2.3.1) has form-encoded. */
function basicClientOf({ headers }: Request): string | undefined {
  const [, encoded] = /^Basic ([\w+/=-]+)$/i.exec(headers.authorization ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const [id = ''] = Buffer.from(encoded, 'base64').toString().split(':');
  return new URLSearchParams(`id=${id}`).get('id') ?? undefined;
}

/**
 * Turns the exchange of an identity token (RFC 8693) into the exchange of a code for its account, so that client authentication,
 * DPoP and refresh tokens are those of every other sign-in.
 */
export function exchangeIdentity(
  context: SignInContext & { readonly audience: string; readonly clients: ClientStore },
): RequestHandler {
  return async (request, response, next) => {
    const body = request.body as Record<string, unknown>;
    if (body['grant_type'] !== tokenExchange) return next();
    const { data: form, error } = formSchema.safeParse({
      ...body,
      client_id: body['client_id'] || basicClientOf(request),
    });
    if (!form) {
      const [name] = error.issues[0]?.path ?? [];
      return sendOAuthError(response, {
        status: 400,
        error: 'invalid_request',
        description: `${String(name)} is missing or malformed`,
      });
    }
    const found = await enter(form, context);
    const event = { client: form.client_id, address: addressKey(request.ip ?? '') };
    if ('error' in found) {
      if (found.status !== 503) context.security.record('sign_in_failed', { ...event, reason: 'identity' });
      return sendOAuthError(response, found);
    }
    const { account, entry, identity, keep } = found;
    const nonce = await takeChallenge(form.nonce, bound, context);
    if (!nonce) return sendOAuthError(response, invalidGrant('the nonce is unknown, expired or used'));
    const release = () => releaseChallenge(nonce, context);
    const issued = await createCode(form.client_id, account, entry, body, context).catch(
      async (error: unknown) => {
        await release();
        throw error;
      },
    );
    if (!issued) {
      await release();
      context.security.record('client_refused', event);
      return sendOAuthError(response, {
        status: 401,
        error: 'invalid_client',
        description: 'client authentication failed',
      });
    }
    // The provider has yet to check the client and its key.
    const state = stateOf(request);
    state.isExchange = true;
    state.settle = async (isIssued) => {
      if (!isIssued) return release();
      context.security.record('sign_in', { ...event, member: account._id });
      if (form.authorization_code !== undefined) context.background.run(keep(form.authorization_code));
      // The call has no cookie of a known device.
      const client = (await context.clients.find(form.client_id))?.name ?? '';
      await announceSignIn(account, { client, parameters: body }, context);
      await context.accounts.identities.setUsed(account._id, identity, context.now());
    };
    const names = new Set(Object.keys(formSchema.shape).filter((name) => name !== 'client_id'));
    const kept = Object.entries(body).filter(([name]) => !names.has(name));
    request.body = { ...Object.fromEntries(kept), grant_type: 'authorization_code', ...issued };
    next();
  };
}
