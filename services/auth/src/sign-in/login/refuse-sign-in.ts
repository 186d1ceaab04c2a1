import type { Account } from '../../accounts/account.ts';
import { explain } from '../pages/respond.ts';
import { recordEvent } from '../record-event.ts';
import { sendLoginForm, type Visitor } from './visitor.ts';

type Problem =
  | 'wrong'
  | 'limited'
  | 'suspended'
  | 'otherAccount'
  | 'staleForm'
  | 'identityTaken'
  | 'notFresh'
  | 'wrongPasskey'
  | 'wrongCode';

/** Why the form is shown again. */
interface Refusal {
  readonly problem: Problem;
  /** The reason to record, if the page must not show it. */
  readonly reason?: 'expired';
  readonly status?: number;
  /** Seconds after which it may be tried again. */
  readonly seconds?: number | undefined;
  /** The only candidate account, if there is one. */
  readonly account?: Account | undefined;
  /** Id of a refused passkey that no account has. */
  readonly unknownPasskey?: string | undefined;
}

/** Shows the login form again with a problem, and records it. */
export function refuseSignIn(visitor: Visitor, refusal: Refusal): void {
  const { problem, reason = problem, account, unknownPasskey } = refusal;
  const { response, interaction, login, proof, sealedProof } = visitor;
  if (problem === 'limited') recordEvent(visitor, 'sign_in_limited', { account });
  else recordEvent(visitor, 'sign_in_failed', { account, reason });
  const shown = explain(response, interaction.presentation, refusal);
  const form = {
    login,
    ...((proof?.reason === 'reactivate' || proof?.reason === 'link') && {
      proof: sealedProof,
      reason: proof.reason,
    }),
    problem: shown.problem,
    isPasskeyRefused: problem === 'wrongPasskey',
    unknownPasskey,
    isEntryWrong: problem === 'wrong' || problem === 'otherAccount',
    deviceLink: problem === 'limited' ? interaction.device : undefined,
  };
  sendLoginForm(visitor, form, shown.status);
}
