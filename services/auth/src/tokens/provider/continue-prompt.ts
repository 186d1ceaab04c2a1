import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import { isOnDevice } from '../../clients/redirect-uris.ts';
import { continuePromptName } from '../sessions/sign-in-result.ts';

/** Whether this request carries the member's decision: credentials or "Continue". */
const isDecided = ({ oidc: { result } }: KoaContextWithOIDC): boolean =>
  result?.login !== undefined || result?.[continuePromptName] === true;

/**
 * Whether the member has to agree before the session is used: another program on the device can use the client's id and
 * redirect URI (RFC 8252, 8.6). A decision counts for one request only; the next one may come from that program.
 */
export function needsContinue(context: KoaContextWithOIDC): boolean {
  const { params, session } = context.oidc;
  if (session?.accountId === undefined || isDecided(context)) return false;
  return isOnDevice(String(params?.['redirect_uri']));
}

/** The prompt that shows the page "Continue as …"; with `prompt=none` it is the error `interaction_required`. */
export const continuePrompt = (): interactionPolicy.Prompt =>
  new interactionPolicy.Prompt(
    { name: continuePromptName, requestable: false },
    new interactionPolicy.Check(
      'address_of_device',
      'the member has to agree to continue',
      'interaction_required',
      needsContinue,
    ),
  );
