import type { SessionsContext } from '../../tokens/sessions/member-sessions.ts';
import { signInOptions, type RelyingParty } from './ceremony.ts';
import { createChallenge } from './challenge.ts';

/** The challenge of a login form works in one sign-in and browser. */
export const boundToForm = (browser: string): string => `sign-in:${browser}`;

/** The login form's data for passkeys. */
export interface PasskeyChoice {
  /** JSON for the browser. */
  readonly options: string;
  /** The sealed challenge, which the form brings back. */
  readonly challenge: string;
}

/** Creates the part of a login form that takes passkeys. */
export function passkeyChoice(browser: string, context: RelyingParty & SessionsContext): PasskeyChoice {
  const { challenge, sealed } = createChallenge(boundToForm(browser), context);
  return { options: JSON.stringify(signInOptions(context, challenge)), challenge: sealed };
}
