import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import { isOfDevice } from '../../clients/redirect-uris.ts';

/** Name of the prompt, and of the result that answers it. */
export const confirmationPrompt = 'continue';

/** Whether this very request brings the member's decision: credentials given for it, or "Continue". */
const isDecided = ({ oidc: { result } }: KoaContextWithOIDC): boolean =>
  result?.login !== undefined || result?.[confirmationPrompt] === true;

/**
 * Whether the member has to agree before anybody profits from the session: what comes back goes to an address that another
 * program on the device could have taken, together with the client's id (RFC 8252, 8.6). No decision counts for a later
 * request, which may come from that program.
 */
export function needsConfirmation(context: KoaContextWithOIDC): boolean {
  const { params, session } = context.oidc;
  if (session?.accountId === undefined || isDecided(context)) return false;
  return isOfDevice(String(params?.['redirect_uri']));
}

/** The prompt under which the page "Continue as …" is shown; with `prompt=none` it is the error `interaction_required`. */
export const confirmation = (): interactionPolicy.Prompt =>
  new interactionPolicy.Prompt(
    { name: confirmationPrompt, requestable: false },
    new interactionPolicy.Check(
      'address_of_device',
      'the member has to agree to continue',
      'interaction_required',
      needsConfirmation,
    ),
  );
