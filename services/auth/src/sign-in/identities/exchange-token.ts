import { addressKey } from '@covalence/http/address-key';
import { endpoint } from '@covalence/http/endpoint';
import type { RequestHandler } from 'express';
import { createHash } from 'node:crypto';
import { errors } from 'oidc-provider';
import { z } from 'zod';
import { isOffered } from '../../accounts/identities/identity-providers.ts';
import { identityId } from '../../accounts/identities/identity-store.ts';
import type { ProviderConnection, VerifiedIdentity } from '../../accounts/identities/provider-connection.ts';
import { IdentityRefusedError } from '../../accounts/identities/provider-requests.ts';
import { keepToken } from '../../accounts/identities/provider-tokens.ts';
import { needsTwoFactors } from '../../accounts/second-factors.ts';
import { accountStateOf } from '../../accounts/member-state.ts';
import type { ClientStore } from '../../clients/client-store.ts';
import { createCode } from '../../tokens/provider/create-code.ts';
import { stateOf } from '../../tokens/provider/request-state.ts';
import { accessTokenType, tokenExchange } from '../../tokens/provider/responses.ts';
import { sha256 } from '../../keys/algorithms.ts';
import type { SignInContext } from '../sign-in-context.ts';
import { announceSignIn } from '../login/announce-sign-in.ts';
import { enteredAt } from '../login/entered-at.ts';
import { challengeSeconds, createChallenge, releaseChallenge, takeChallenge } from '../webauthn/challenge.ts';
import { linkedAccounts } from './linked-accounts.ts';

/** The binding of a nonce: it is a challenge that a provider signs. */
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

/** An error of the token endpoint. */
const refusal = (error: string, description: string) =>
  new errors.CustomOIDCProviderError(error, description);

const invalidGrant = (description: string) => refusal('invalid_grant', description);
const atSignIn = (description: string) => refusal('interaction_required', description);

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
    context.logger.warn(
      { err: error },
      'exchanging the authorization code of a provider failed: the sign-in continues without its refresh token',
    );
  }
}

/** The account that an identity token signs in, and what the token proves. Rejects with the reason why it signs in none. */
async function enter(form: Form, context: SignInContext) {
  const { identities, profile } = context;
  const connection = identities.providers.get(form.provider);
  if (!connection || !isOffered(connection.provider, form.siteid)) throw invalidGrant('unknown provider');
  const verified = await connection
    .verifyNative(form.subject_token, isNonceOf(form.nonce))
    .catch((error: unknown) => {
      if (!(error instanceof IdentityRefusedError)) throw error;
      // RFC 8693, 2.2.2: the error of a token that is not valid, or not acceptable.
      throw refusal('invalid_request', 'the identity token is not valid');
    });
  const [account, another] = await linkedAccounts(verified.identity, form.siteid, context);
  if (!account) throw atSignIn('no account is linked: open /authorize');
  if (another) throw atSignIn('accounts of several sites are linked: send siteid');
  const state = await accountStateOf(account, profile);
  if (state === 'deactivated') throw atSignIn('the profile is deactivated: open /authorize');
  if (state !== 'active') throw invalidGrant('the account cannot sign in');
  if (needsTwoFactors(account, context.secondFactor))
    throw atSignIn('two-step sign-in is on: open /authorize');
  const entry = {
    method: 'fed',
    authenticatedAt: context.clock(),
    askedAt: verified.identity.auth_time,
  } as const;
  return {
    account,
    entry: { method: entry.method, authTime: enteredAt(entry, account) },
    identity: identityId(form.provider, account.siteid, verified.identity.subject),
    keep: (code: string) => keepRefreshToken(connection, code, verified, context),
  };
}

/**
 * Turns the exchange of an identity token (RFC 8693) into the exchange of a code for its account, so that client authentication,
 * DPoP and refresh tokens are those of every other sign-in. Nothing is used up or written before the client has proven who it is.
 */
export function exchangeIdentity(
  context: SignInContext & { readonly audience: string; readonly clients: ClientStore },
): RequestHandler {
  return (request, _response, next) => {
    const body = request.body as Record<string, unknown>;
    if (body['grant_type'] !== tokenExchange) return next();
    const state = stateOf(request);
    state.exchange = async (clientId) => {
      const { data: form, error } = formSchema.safeParse(body);
      const [name] = error?.issues[0]?.path ?? [];
      if (!form) throw refusal('invalid_request', `${String(name)} is missing or malformed`);
      const event = { client: clientId, address: addressKey(request.ip ?? '') };
      const { account, entry, identity, keep } = await enter(form, context).catch((reason: unknown) => {
        if (reason instanceof errors.CustomOIDCProviderError)
          context.security.record('sign_in_failed', { ...event, reason: 'identity' });
        throw reason;
      });
      const nonce = await takeChallenge(form.nonce, bound, context);
      if (!nonce) throw invalidGrant('the nonce is unknown, expired or used');
      state.settle = async (isIssued) => {
        if (!isIssued) return releaseChallenge(nonce, context);
        context.security.record('sign_in', { ...event, member: account._id });
        if (form.authorization_code !== undefined) context.afterResponse.run(keep(form.authorization_code));
        // The call has no cookie of a known device.
        const client = (await context.clients.find(clientId))?.name ?? '';
        await announceSignIn(account, { client, parameters: body }, context);
        await context.accounts.identities.setUsed(account._id, identity, context.clock());
      };
      const issued = await createCode(clientId, account, entry, body, context);
      if (!issued) throw new errors.InvalidClientAuth('a client of staff');
      return issued;
    };
    const kept = Object.entries(body).filter(([name]) => !(name in formSchema.shape));
    // The provider needs both, and gets those of the exchange.
    const code = { code: 'exchange', redirect_uri: 'exchange' };
    request.body = { ...Object.fromEntries(kept), grant_type: 'authorization_code', ...code };
    next();
  };
}
