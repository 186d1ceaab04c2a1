import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import { isOfDevice } from '../clients/redirect-uris.ts';

/** Name of the prompt, and of the result that answers it. */
export const confirmationPrompt = 'continue';

interface Authorization {
  /** The member signed in for this client in this session, or agreed to go on. */
  readonly confirmed?: boolean;
}

type Authorizations = Record<string, Authorization | undefined>;

const authorizationsOf = ({ oidc: { session } }: KoaContextWithOIDC): Authorizations =>
  (session?.authorizations ?? {}) as Authorizations;

/** Whether this very request brings the member's decision: a sign-in for this client, or "Continue". */
const isDecided = ({ oidc: { result } }: KoaContextWithOIDC): boolean =>
  result?.login !== undefined || result?.[confirmationPrompt] === true;

/**
 * Whether the member has to agree before this client profits from the session: it is one for which they have not signed in,
 * and what comes back goes to an address that another program on the device could have taken (RFC 8252, 8.6).
 */
export function needsConfirmation(context: KoaContextWithOIDC): boolean {
  const { client, params, session } = context.oidc;
  if (session?.accountId === undefined || isDecided(context)) return false;
  const isKnown = authorizationsOf(context)[client?.clientId ?? '']?.confirmed === true;
  return !isKnown && isOfDevice(String(params?.['redirect_uri']));
}

/** Keeps the decision for this session and client, so that it is asked for once. */
export function keepDecision(context: KoaContextWithOIDC): void {
  const { client, session } = context.oidc;
  if (!session || !client || !isDecided(context)) return;
  const all = authorizationsOf(context);
  const own: Authorization = { ...all[client.clientId], confirmed: true };
  Object.assign(session, { authorizations: { ...all, [client.clientId]: own } });
}

/** The prompt under which the page "Continue as …" is shown; with `prompt=none` it is the error `interaction_required`. */
export const confirmation = (): interactionPolicy.Prompt =>
  new interactionPolicy.Prompt(
    { name: confirmationPrompt, requestable: false },
    new interactionPolicy.Check(
      'other_client',
      'the member has to agree to continue',
      'interaction_required',
      needsConfirmation,
    ),
  );
