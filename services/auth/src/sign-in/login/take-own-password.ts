import { z } from 'zod';
import { staffPasswordAllowed } from '../../accounts/passwords/password-rules.ts';
import { signOutEverywhere } from '../../tokens/sessions/sign-out-everywhere.ts';
import { duringSignIn } from '../during-sign-in.ts';
import { admit } from './admit.ts';
import { askForPassword } from './next-page.ts';
import { sealedProof } from './proof.ts';
import { resumeForm } from './resume-form.ts';
import { refuseSignIn } from './refuse-sign-in.ts';
import { recordEvent } from '../record-event.ts';

const formSchema = z.object({ proof: sealedProof, password: z.string() });

/** POST /login/:uid/password: replaces a password that was generated for a staff account, and goes on with the sign-in. */
export const takeOwnPassword = duringSignIn(async (visit) => {
  const resumed = await resumeForm(visit, formSchema, ['password']);
  if (!resumed) return;
  const { form, visitor, account } = resumed;
  const { context } = visit;
  const { password, proof } = form;
  const { passwords } = context.accounts;
  const isSame = () => passwords.inTurn((compare) => compare(password, account.password_hash), account._id);
  if (!staffPasswordAllowed(password, account.username))
    return askForPassword(visitor, account, { proof, problem: 'badPassword' });
  if (await isSame()) return askForPassword(visitor, account, { proof, problem: 'givenPassword' });
  const hash = await passwords.hash(password, account._id);
  if (!(await context.accounts.replaceInitialPassword(account, hash)))
    return refuseSignIn(visitor, { problem: 'staleForm', account });
  recordEvent(visitor, 'staff_changed', { account, reason: 'own_password' });
  // The given password may be known to others. This sign-in is the one after.
  await signOutEverywhere(account._id, context);
  const authenticatedAt = new Date(context.clock().getTime() + 1);
  const { initial_password_until: _replaced, ...own } = account;
  return admit({ ...visitor, authenticatedAt }, { ...own, password_hash: hash });
});
