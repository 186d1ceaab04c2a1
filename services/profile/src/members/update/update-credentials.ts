import type { Caller } from '@covalence/http/endpoint';
import { invalidArgument } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import { loginKey } from '@covalence/contract/login-key';
import { addressKey } from '@covalence/http/address-key';
import { siteOf, type MembersContext } from '../members.ts';
import { textOf } from '../document/member-values.ts';
import type { Member } from '../document/member.ts';
import { countTakenNames } from '../taken-names.ts';
import { textIn, type CheckedFields, orderedCodes, type FailedParameters } from '../checks/check-fields.ts';

async function ownEmails({ auth }: MembersContext, { member_id }: Member): Promise<string[]> {
  const { email, pending_email } = await auth.readEmail({ member_id });
  return [email, ...(pending_email === undefined ? [] : [pending_email])].map(loginKey);
}

/**
 * Throws 10101 or 20502 for a username or email that is taken. Counts new names by member and client address, 429 beyond the
 * limit: a new email causes a mail, and the answer reveals whether a name has an account.
 */
export async function checkCredentials(
  context: MembersContext,
  member: Member,
  { values }: CheckedFields,
  address: string,
): Promise<void> {
  const [username, email] = [textIn(values, 'username'), textIn(values, 'email')];
  const own = [textOf(member, 'username'), member.pending.username ?? ''].map(loginKey);
  const asksUsername = username !== undefined && !own.includes(loginKey(username));
  const asksEmail = email !== undefined && !(await ownEmails(context, member)).includes(loginKey(email));
  if (!asksUsername && !asksEmail) return;
  if (asksEmail) await context.members.limits.emails.count(member._id);
  if (asksUsername) await context.members.limits.usernames.count(member._id);
  const names = Number(asksUsername) + Number(asksEmail);
  await countTakenNames(context, addressKey(address), names, async () => {
    const { failcode } = await context.auth.checkAccount({
      siteid: member.siteid,
      member_id: member.member_id,
      password_minimum: siteOf(context, member.siteid).password_minimum,
      ...(asksUsername && { username }),
      ...(asksEmail && { email }),
    });
    const taken: FailedParameters = new Map();
    if (failcode.includes(failCodes.usernameTaken)) taken.set('username', failCodes.usernameTaken);
    if (failcode.includes(failCodes.emailTaken)) taken.set('email', failCodes.updatedEmailTaken);
    if (taken.size) throw invalidArgument(...orderedCodes(taken, 'update'));
  });
}

/**
 * Claims a new username and email before the member is written. A refused email releases the username. The email is in
 * force when its link is opened, which ends every sign-in but that of the caller. Safe to repeat.
 */
export async function claimCredentials(
  { auth }: MembersContext,
  member: Member,
  { values }: CheckedFields,
  { family, methods, authenticated }: Caller,
): Promise<void> {
  const { member_id } = member;
  const [username, email] = [textIn(values, 'username'), textIn(values, 'email')];
  if (username !== undefined) await auth.claimUsername({ member_id, username });
  if (email === undefined) return;
  try {
    const sign_in =
      methods && authenticated !== undefined ? { methods: [...methods], at: authenticated } : undefined;
    await auth.changeEmail({ member_id, email, family, sign_in });
  } catch (error) {
    const before = member.pending.username ?? textOf(member, 'username');
    if (username !== undefined) await auth.claimUsername({ member_id, username: before });
    throw error;
  }
}

/** Makes the profile's username the login name, until both are equal: a parallel update may change the profile meanwhile. */
export async function applyUsername({ auth, members }: MembersContext, member: Member): Promise<void> {
  for (let applied = ''; ;) {
    const current = await members.store.byId(member._id);
    const username = current ? textOf(current, 'username') : '';
    if (!username || username === applied) return;
    await auth.applyUsername({ member_id: member.member_id, username });
    applied = username;
  }
}
