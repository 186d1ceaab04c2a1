import { addressKey } from '@covalence/http/address-key';
import type { Account, Passkey } from '../../accounts/account.ts';
import type { Counter } from '../../accounts/attempts-store.ts';
import { deviceOf, type KnownDevice } from '../../tokens/sessions/known-device.ts';
import { admitOneOf } from './admit.ts';
import { refuseSignIn } from './refuse-sign-in.ts';
import { recordEvent } from '../record-event.ts';
import type { Visitor } from './visitor.ts';
import { takeChallenge, type Challenge } from '../webauthn/challenge.ts';
import { boundToForm, assertionSchema, verifySignIn } from '../webauthn/ceremony.ts';

/** A form with the answer of an authenticator. */
interface PasskeyForm {
  readonly credential: string;
  readonly challenge: string;
}

interface Found {
  readonly account: Account;
  readonly passkey: Passkey;
  readonly user: string;
}

/** Counter of failures, its own: a passkey cannot be guessed, and wrong passwords do not block it. */
const counterOf = ({ request }: Visitor, device: KnownDevice, found: Found | undefined): Counter => ({
  kind: 'passkey',
  key: found && device.knows(found.account) ? device.id : addressKey(request.ip ?? ''),
});

/** The account of a credential id, if it is of the kind and site of the sign-in. */
async function find(id: string, { interaction, context }: Visitor): Promise<Found | undefined> {
  const account = await context.accounts.passkeys.findAccount(id);
  const passkey = account?.passkeys?.find((one) => one.id === id);
  const user = account?.passkey_user;
  const { staff, siteid } = interaction.realm;
  const isHere = account?.staff === staff && (siteid === undefined || account.siteid === siteid);
  return passkey && user !== undefined && isHere ? { account, passkey, user } : undefined;
}

/** Verifies and stores the use of a passkey. */
async function isRight(
  visitor: Visitor,
  answer: Parameters<typeof verifySignIn>[1],
  challenge: Challenge,
  found: Found,
): Promise<boolean> {
  const { context, interaction } = visitor;
  const { account, passkey } = found;
  const party = { issuer: context.issuer, apps: interaction.androidOrigins };
  const use = await verifySignIn(party, answer, challenge, found);
  if (use?.isCopied) recordEvent(visitor, 'passkey_copied', { account });
  if (!use || use.isCopied) return false;
  return context.accounts.passkeys.use(account, passkey, { ...use, at: context.clock() });
}

/** Takes the answer of an authenticator, and signs its member in. */
export async function enterPasskey(visitor: Visitor, form: PasskeyForm): Promise<void> {
  const { request, context, interaction } = visitor;
  const { attempts } = context.accounts;
  const authenticatedAt = context.clock();
  const device = deviceOf(request, context);
  const { data: answer } = assertionSchema.safeParse(form.credential);
  const found = answer && (await find(answer.id, visitor));
  const counter = counterOf(visitor, device, found);
  const seconds = await attempts.secondsToWait([counter]);
  if (seconds) return refuseSignIn(visitor, { problem: 'limited', seconds });
  const bound = boundToForm(interaction.browser);
  const challenge = await takeChallenge(form.challenge, bound, context);
  if (!challenge) return refuseSignIn(visitor, { problem: 'staleForm' });
  if (answer && found && (await isRight(visitor, answer, challenge, found)))
    return admitOneOf({ ...visitor, method: 'pop', authenticatedAt }, [found.account]);
  await attempts.fail(counter.kind, counter.key);
  // One of another site or kind of account goes on working there.
  const isUnknown = answer !== undefined && !(await context.accounts.passkeys.exists(answer.id));
  const unknownPasskey = isUnknown ? answer.id : undefined;
  refuseSignIn(visitor, { problem: 'wrongPasskey', account: found?.account, unknownPasskey });
}
