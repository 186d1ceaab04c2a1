import type { Sites } from '@covalence/contract/sites';
import { minuteMs, hourMs } from '@covalence/contract/time';
import type { ServiceBase } from '@covalence/runtime/service-base';
import { z } from 'zod';
import type { Seal } from '../../keys/seal.ts';
import type { Identity } from '../account.ts';
import { subjectOf, type IdentityStore } from './identity-store.ts';
import type { ProviderConnection, ProviderToken } from './provider-connection.ts';
import type { ProviderTokenStore, StoredToken } from './provider-token-store.ts';

/** Dependencies of accounts at providers and their tokens. */
export interface IdentitiesContext extends ServiceBase {
  readonly accounts: { readonly identities: IdentityStore };
  readonly identities: {
    readonly tokens: ProviderTokenStore;
    /** By id. */
    readonly providers: ReadonlyMap<string, ProviderConnection>;
  };
  readonly keys: { readonly seal: Seal };
  readonly sites: Sites;
}

type Person = Pick<ProviderToken, 'provider' | 'subject'>;

/** Time in which somebody who came from a provider may link an account: longer than a sign-in lasts. */
const linkableMs = hourMs;

const contentSchema = z.object({ subject: z.string(), token: z.string() });

const personText = ({ provider, subject }: Person) => JSON.stringify([provider, subject]);

/** The MACs of somebody at a provider, with the newest secret first. */
const personsOf = (person: Person, seal: Seal): string[] => seal.macs('provider-people', personText(person));

/** Names the secret that seals, so that tokens sealed by others are found. */
export const secretOf = (seal: Seal): string => seal.mac('provider-people', '');

/** A token as it is stored: encrypted, under a MAC of its person. */
export const sealedToken = ({ provider, subject, token }: Omit<ProviderToken, 'client_id'>, seal: Seal) => ({
  person: seal.mac('provider-people', personText({ provider, subject })),
  sealed: seal.seal('provider-tokens', JSON.stringify({ subject, token }), provider),
  secret: secretOf(seal),
});

/** A stored token in the clear; undefined when no secret opens it. */
export function openToken(
  { provider, client_id, sealed }: StoredToken,
  seal: Seal,
): ProviderToken | undefined {
  const text = seal.open('provider-tokens', sealed, provider);
  return text === undefined ? undefined : { provider, client_id, ...contentSchema.parse(JSON.parse(text)) };
}

/**
 * Keeps a refresh token in place of the former one of its person and client. It is revoked if the person links no account. The former
 * one is forgotten: to revoke it would end the new one, too.
 */
export async function keepToken(
  token: ProviderToken,
  { identities, keys: { seal }, clock }: IdentitiesContext,
): Promise<void> {
  const { provider, client_id } = token;
  const check_at = new Date(clock().getTime() + linkableMs);
  const stored = { provider, client_id, check_at, ...sealedToken(token, seal) };
  await identities.tokens.keep(personsOf(token, seal), stored);
}

const personOf = (identity: Identity): Person => ({
  provider: identity.provider,
  subject: subjectOf(identity),
});

/** Whether a token of the person behind an identity is kept. */
export const hasToken = async (
  identity: Identity,
  { identities, keys }: IdentitiesContext,
): Promise<boolean> => (await identities.tokens.of(personsOf(personOf(identity), keys.seal))).length > 0;

/**
 * Has a job revoke the tokens of the people behind identities that are about to be removed, unless they have another account here.
 * Before the removal, so that nothing is forgotten when this process dies in the middle.
 */
export async function checkTokens(
  identities: readonly Identity[],
  { identities: { tokens }, keys: { seal }, clock }: IdentitiesContext,
): Promise<void> {
  const persons = identities.flatMap((identity) => personsOf(personOf(identity), seal));
  if (persons.length) await tokens.setCheck(persons, new Date(clock().getTime() + minuteMs));
}
